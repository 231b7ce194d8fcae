import { LANGUAGES } from "#core/languages.ts";
import { STORAGE_KEYS } from "../site/constants.ts";
import { destinationOf } from "../site/destination-of.ts";

interface BootSettings {
  languages: readonly string[];
  languageKey: string;
  themeKey: string;
}

/** Source for an inline script: the theme and the right language are settled before anything is painted. */
export function bootScript(): string {
  const settings: BootSettings = {
    languages: LANGUAGES,
    languageKey: STORAGE_KEYS.language,
    themeKey: STORAGE_KEYS.theme,
  };
  return `(${boot.toString()})(${destinationOf.toString()},${JSON.stringify(settings)})`;
}

function boot(destination: typeof destinationOf, settings: BootSettings): void {
  const read = (key: string) => {
    try {
      return window.localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read(settings.themeKey);
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const { pathname, search, hash } = window.location;
  const elsewhere = destination({
    pathname,
    search,
    hash,
    storedLanguage: read(settings.languageKey),
    browserLanguages: navigator.languages,
    languages: settings.languages,
  });
  if (elsewhere === null) return;
  document.documentElement.hidden = true;
  window.location.replace(elsewhere);
}
