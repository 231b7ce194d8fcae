import { readFileSync } from "node:fs";
import type { Language } from "#core/languages.ts";

const read = (language: Language, namespace: string) =>
  JSON.parse(
    readFileSync(new URL(`../../src/text/locales/${language}/${namespace}.json`, import.meta.url), "utf8"),
  );

/** The texts of the product in a language. */
export function textsIn(language: Language) {
  return {
    account: read(language, "account"),
    alert: read(language, "alert"),
    "alert-mails": read(language, "alert-mails"),
    auth: read(language, "auth"),
    bot: read(language, "bot"),
    common: read(language, "common"),
    filter: read(language, "filter"),
    finds: read(language, "finds"),
    "finds-settings": read(language, "finds-settings"),
    health: read(language, "health"),
    landing: read(language, "landing"),
    legal: read(language, "legal"),
    map: read(language, "map"),
    market: read(language, "market"),
    measured: read(language, "measured"),
    "mini-app": read(language, "mini-app"),
    rules: read(language, "rules"),
  };
}

/** The pages that do not redirect a guest. */
export const GUEST_PATHS = [
  "/",
  "/measured",
  "/privacy",
  "/terms",
  "/reset-password",
  "/confirm-email",
  "/stop-mails",
  "/nothing-here",
];
