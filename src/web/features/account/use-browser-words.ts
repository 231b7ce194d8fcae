import type { Browser } from "#core/browser/browser-of.ts";
import { browserWords } from "#text/browser-words.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

export function useBrowserWords(): (browser: Browser) => string {
  const texts = useTexts("account");
  return (browser) => browserWords(browser, (key, values) => texts(key, { ...values }));
}
