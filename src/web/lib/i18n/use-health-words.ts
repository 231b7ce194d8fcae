import type { Health } from "#core/health/health-of.ts";
import { type HealthTexts, type HealthWords, healthWords } from "#text/health-words.ts";
import { useNow } from "../browser/use-now.ts";
import { useLanguage, useTexts } from "./use-texts.ts";

const CLOCK_MS = 60_000;

export function useHealthWords(health: Health): HealthWords {
  const texts = useTexts("health");
  const t: HealthTexts = (key, values = {}) => texts(key, { ...values });
  return healthWords(health, { t, language: useLanguage(), now: useNow(CLOCK_MS) });
}
