import { createInstance, type i18n as I18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "#core/languages.ts";
import { I18N_OPTIONS, NUMBERS_IN_TEXTS } from "#text/i18n-options.ts";
import type { PageData } from "../site/page-data.ts";
import { retryFailedTexts } from "./load-texts.ts";

/** The page's own texts are in its HTML and complete before the first render; the others come over HTTP. */
export async function startI18n(language: Language, texts: PageData["texts"]): Promise<I18n> {
  const i18n = createInstance();
  await i18n
    .use(initReactI18next)
    .use(NUMBERS_IN_TEXTS)
    .init({
      ...I18N_OPTIONS,
      lng: language,
      defaultNS: "common",
      resources: { [language]: texts },
      // Where nothing could be loaded, an empty label is better than a key.
      parseMissingKeyHandler: () => "",
    });
  window.addEventListener("online", () => retryFailedTexts(i18n));
  return i18n;
}
