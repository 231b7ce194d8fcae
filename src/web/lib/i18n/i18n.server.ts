import { createInstance, type i18n as I18n, type Resource } from "i18next";
import { initReactI18next } from "react-i18next";
import { DEFAULT_LANGUAGE, type Language } from "#core/languages.ts";

const files = import.meta.glob(["/src/text/locales/*/*.json", "!**/{mail,bot}.json"], {
  import: "default",
  eager: true,
});

/** All texts of all languages, for rendering at build time. */
export function prerenderI18n(language: Language): I18n {
  const i18n = createInstance();
  void i18n.use(initReactI18next).init({
    lng: language,
    fallbackLng: DEFAULT_LANGUAGE,
    defaultNS: "common",
    resources: resourcesFrom(files),
    initAsync: false,
    interpolation: { escapeValue: false },
    // Prerendering shows every text once: a missing one must stop the build, not reach a visitor.
    saveMissing: true,
    missingKeyHandler: (languages, namespace, key) => {
      throw new Error(`No text for ${namespace}:${key} in ${languages.join(", ")}`);
    },
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
