import { createInstance, type i18n as I18n } from "i18next";
import HttpBackend, { type HttpBackendOptions } from "i18next-http-backend";
import { initReactI18next } from "react-i18next";
import { DEFAULT_LANGUAGE, type Language } from "#core/languages.ts";
import { I18N_OPTIONS } from "#text/i18n-options.ts";
import type { PageData } from "../../hydration/page-data.ts";
import { TEXT_LOADING } from "../site/constants.ts";
import { englishResources, keepEnglishIn } from "./english.ts";
import { showTextLoading } from "./use-texts.ts";

const addresses = import.meta.glob<string>(
  ["/src/text/locales/{es,ru,de,fr}/*.json", "!**/{mail,bot,alert}.json"],
  {
    query: "?url",
    import: "default",
    eager: true,
  },
);

/** The page's own language is complete before the first render; others and other namespaces come over HTTP. */
export async function startI18n(language: Language, texts: PageData["texts"]): Promise<I18n> {
  const i18n = createInstance();
  await i18n
    .use(HttpBackend)
    .use(initReactI18next)
    .init<HttpBackendOptions>({
      ...I18N_OPTIONS,
      lng: language,
      defaultNS: "common",
      ns: ["common"],
      resources:
        language === DEFAULT_LANGUAGE ? englishResources() : { ...englishResources(), [language]: texts },
      partialBundledLanguages: true,
      backend: {
        ...TEXT_LOADING,
        loadPath: ([lng], [namespace]) => {
          showTextLoading(true);
          return addresses[`/src/text/locales/${lng}/${namespace}.json`] ?? "";
        },
      },
    });
  keepEnglishIn(i18n);
  i18n.on("loaded", () => {
    giveUpOnFailures(i18n);
    showTextLoading(false);
  });
  // A language that could not be loaded is tried again when the connection is back.
  window.addEventListener("online", () => void i18n.reloadResources());
  return i18n;
}

const NOT_LOADED = 0;
const FAILED = -1;

/**
 * i18next notes a file whose retries are used up as merely not loaded, and starts again whenever any other text is
 * waited for: two such files wake each other for ever, and the page between them never comes.
 */
function giveUpOnFailures(i18n: I18n): void {
  const { state }: { state: Record<string, number> } = i18n.services.backendConnector;
  for (const name of Object.keys(state)) if (state[name] === NOT_LOADED) state[name] = FAILED;
}
