/** A browser in words, for the page and for mails: "Firefox on Windows". */
import { type Browser, OTHER } from "#core/browser/browser-of.ts";

/** The texts of `account.json` in one language. */
type BrowserTexts = (
  key: "sessions.device" | "sessions.unknown",
  values?: { browser: string; system: string },
) => string;

export function browserWords({ family, platform }: Browser, t: BrowserTexts): string {
  const known = [family, platform].filter((name) => name !== OTHER);
  return known.length === 2
    ? t("sessions.device", { browser: family, system: platform })
    : (known[0] ?? t("sessions.unknown"));
}
