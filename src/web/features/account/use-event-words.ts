import type { Browser } from "#core/browser/browser-of.ts";
import { browserWords } from "#text/browser-words.ts";
import { momentHere } from "#web/lib/i18n/moment-here.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";

export function useDates(): (date: string) => string {
  const language = useLanguage();
  return (date) => momentHere(new Date(date), language, { dateStyle: "medium", timeStyle: "short" });
}

export function useBrowserWords(): (browser: Browser) => string {
  const texts = useTexts("account");
  return (browser) => browserWords(browser, (key, values) => texts(key, { ...values }));
}
