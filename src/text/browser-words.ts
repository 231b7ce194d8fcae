/** The name of a browser on pages and in mails: "Firefox on Windows". */
import { type Browser, OTHER } from "#core/browser/browser-of.ts";
import type { Translate } from "./namespaces.ts";

export function browserWords({ family, platform }: Browser, t: Translate<"account">): string {
  const known = [family, platform].filter((name) => name !== OTHER);
  return known.length === 2
    ? t("sessions.device", { browser: family, system: platform })
    : (known[0] ?? t("sessions.unknown"));
}
