import type { Health } from "#core/health/health-of.ts";
import { type HealthWords, healthWords } from "#text/health-words.ts";
import { useNow } from "../browser/use-now.ts";
import { useWords } from "./use-texts.ts";

const CLOCK_MS = 60_000;

export function useHealthWords(health: Health): HealthWords {
  return healthWords(health, { ...useWords("health"), now: useNow(CLOCK_MS) });
}
