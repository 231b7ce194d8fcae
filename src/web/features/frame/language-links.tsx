import { useLocation } from "react-router";
import { basePathOf, LANGUAGES, localizedPath } from "#core/languages.ts";
import { STORAGE_KEYS } from "../../lib/constants.ts";
import { LANGUAGE_NAMES } from "../../lib/language-names.ts";
import { NOT_FOUND_PATH } from "../../lib/page-paths.ts";
import { store } from "../../lib/storage.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { usePageHandle } from "../../lib/use-page-handle.ts";
import { useLanguage, useTexts } from "../../lib/use-texts.ts";

/** Plain links to this page in the five languages: they work without scripts, and search engines follow them. */
export function LanguageLinks() {
  const t = useTexts("common");
  const current = useLanguage();
  const path = useCurrentBasePath();
  return (
    <ul aria-label={t("header.language")} className="flex flex-wrap gap-x-5">
      {LANGUAGES.map((language) => (
        <li key={language}>
          <a
            href={localizedPath(path, language)}
            hrefLang={language}
            lang={language}
            aria-current={language === current ? "true" : undefined}
            className="inline-flex min-h-11 items-center text-muted hover:text-ink aria-[current]:text-ink"
            onClick={() => store(STORAGE_KEYS.language, language)}
          >
            {LANGUAGE_NAMES[language]}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The page for unknown addresses is rendered once, so its first render cannot know the address it is shown at. */
function useCurrentBasePath(): string {
  const { pathname } = useLocation();
  const { isNotFound } = usePageHandle();
  const isHydrated = useHydrated();
  return isNotFound && !isHydrated ? NOT_FOUND_PATH : basePathOf(pathname);
}
