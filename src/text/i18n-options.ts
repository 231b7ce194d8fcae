import type { InitOptions } from "i18next";
import { DEFAULT_LANGUAGE, LANGUAGES } from "#core/languages.ts";

/** Options of all i18next instances, in the browser and elsewhere. */
export const I18N_OPTIONS = {
  supportedLngs: LANGUAGES,
  fallbackLng: DEFAULT_LANGUAGE,
  // The code that shows a text escapes it: React, mail HTML, Telegram HTML.
  interpolation: { escapeValue: false },
} satisfies InitOptions;

/** For programs: a missing text is a bug and must not reach a user. */
export const MISSING_TEXT_THROWS = {
  saveMissing: true,
  missingKeyHandler: (languages, namespace, key) => {
    throw new Error(`No text for ${namespace}:${key} in ${languages.join(", ")}`);
  },
} satisfies InitOptions;
