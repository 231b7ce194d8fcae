import type { FormatterModule, InitOptions } from "i18next";
import { DEFAULT_LANGUAGE, LANGUAGES, languageOr } from "#core/languages.ts";
import { formatNumber } from "./labels.ts";

/** Options of all i18next instances, in the browser and elsewhere. */
export const I18N_OPTIONS = {
  supportedLngs: LANGUAGES,
  fallbackLng: DEFAULT_LANGUAGE,
  // The code that shows a text escapes it: React, mail HTML, Telegram HTML.
  interpolation: { escapeValue: false, alwaysFormat: true },
} satisfies InitOptions;

/** Every number in a text is written as its language writes numbers: "5,230", "5.230". */
export const NUMBERS_IN_TEXTS: FormatterModule = {
  type: "formatter",
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, language, options) => {
    if (typeof value === "number") return formatNumber(value, languageOr(language, DEFAULT_LANGUAGE));
    // Texts that are read as objects (`returnObjects`) keep their placeholders.
    return value === undefined ? `{{${options?.interpolationkey}}}` : String(value);
  },
};

/** For programs: a missing text is a bug and must not reach a user. */
export const MISSING_TEXT_THROWS = {
  saveMissing: true,
  missingKeyHandler: (languages, namespace, key) => {
    throw new Error(`No text for ${namespace}:${key} in ${languages.join(", ")}`);
  },
} satisfies InitOptions;
