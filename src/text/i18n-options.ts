import type { InitOptions } from "i18next";
import { DEFAULT_LANGUAGE, LANGUAGES } from "#core/languages.ts";

/** How every i18next of ours reads the locales, in the browser and outside of it. */
export const I18N_OPTIONS = {
  supportedLngs: LANGUAGES,
  fallbackLng: DEFAULT_LANGUAGE,
  // Whoever shows a text knows whether it is markup there: React, HTML of a mail or of Telegram.
  interpolation: { escapeValue: false },
} satisfies InitOptions;

/** For programs: a missing text is a mistake of ours, not to be shown to anyone. */
export const MISSING_TEXT_THROWS = {
  saveMissing: true,
  missingKeyHandler: (languages, namespace, key) => {
    throw new Error(`No text for ${namespace}:${key} in ${languages.join(", ")}`);
  },
} satisfies InitOptions;
