import { createInstance, type i18n as I18n, type Resource } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "#core/languages.ts";
import { I18N_OPTIONS, MISSING_TEXT_THROWS, NUMBERS_IN_TEXTS } from "#text/i18n-options.ts";

const files = import.meta.glob(["/src/text/locales/*/*.json", "!**/{mail,bot}.json"], {
  import: "default",
  eager: true,
});

/** All texts of all languages, for rendering at build time. */
export function prerenderI18n(language: Language): I18n {
  const i18n = createInstance();
  void i18n
    .use(initReactI18next)
    .use(NUMBERS_IN_TEXTS)
    .init({
      ...I18N_OPTIONS,
      ...MISSING_TEXT_THROWS,
      lng: language,
      defaultNS: "common",
      resources: resourcesFrom(files),
      initAsync: false,
    });
  return i18n;
}

function resourcesFrom(texts: Record<string, unknown>): Resource {
  const resources: Record<string, Record<string, object>> = {};
  for (const [path, content] of Object.entries(texts)) {
    const [language, file] = path.split("/").slice(-2);
    if (!language || !file || typeof content !== "object" || content === null) continue;
    resources[language] = { ...resources[language], [file.replace(".json", "")]: content };
  }
  return resources as Resource;
}
