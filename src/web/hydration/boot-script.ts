import { LANGUAGES } from "#core/languages.ts";
import { sitePath } from "#core/site-path.ts";
import { STORAGE_KEYS, TAB_STORAGE_KEYS } from "../lib/site/constants.ts";
import { destinationOf } from "../lib/site/destination-of.ts";
import { hearEarlyClicks } from "./early-clicks.ts";
import { type EarlyPage, isTouch, PLAIN_FRAGMENT, TOUCHES } from "./early-page.ts";
import { SESSION_KEY } from "./session-key.ts";

interface BootSettings {
  languages: readonly string[];
  languageKey: string;
  themeKey: string;
  consentKey: string;
  arrivalKey: string;
  sessionKey: string;
  plainFragment: string;
  touches: readonly string[];
}

/**
 * Source for an inline script. The theme and the right language are settled before anything is painted; what a page
 * needs before its application, or without it, is done here: the cookie notice, the guest's buttons in the header, the
 * footer's languages, and the memory of a press that came too early.
 */
export function bootScript(): string {
  const settings: BootSettings = {
    languages: LANGUAGES,
    languageKey: STORAGE_KEYS.language,
    themeKey: STORAGE_KEYS.theme,
    consentKey: STORAGE_KEYS.cookieConsent,
    arrivalKey: TAB_STORAGE_KEYS.arrival,
    sessionKey: SESSION_KEY.source,
    plainFragment: PLAIN_FRAGMENT.source,
    touches: TOUCHES,
  };
  const parts = `{destination:${destinationOf},toSitePath:${sitePath},touches:${isTouch},hearClicks:${hearEarlyClicks}}`;
  return `(${boot})(${parts},${JSON.stringify(settings)})`;
}

interface Parts {
  destination: typeof destinationOf;
  toSitePath: typeof sitePath;
  touches: typeof isTouch;
  hearClicks: typeof hearEarlyClicks;
}

function boot({ destination, toSitePath, touches, hearClicks }: Parts, settings: BootSettings): void {
  const root = document.documentElement;
  const stored: Record<string, string> = {};
  try {
    Object.assign(stored, window.localStorage);
  } catch {
    // Storage is blocked: nothing is remembered.
  }
  const read = (key: string) => stored[key] ?? null;
  const store = (key: string, value: string) => {
    try {
      window.localStorage.setItem(key, value);
    } catch {
      // The choice then holds for this page only.
    }
  };
  const inTab = (use: (tab: Storage) => void) => {
    try {
      use(window.sessionStorage);
    } catch {
      // Storage is blocked.
    }
  };
  const theme = read(settings.themeKey);
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const { pathname, search, hash } = window.location;
  const visit = {
    pathname,
    search,
    hash,
    storedLanguage: read(settings.languageKey),
    browserLanguages: navigator.languages,
    languages: settings.languages,
  };
  const elsewhere = destination(visit, toSitePath);
  if (elsewhere !== null) {
    root.hidden = true;
    window.location.replace(elsewhere);
    return;
  }
  if (read(settings.consentKey) === null) root.dataset.cookieNotice = "shown";
  const sessionKey = new RegExp(settings.sessionKey);
  const isPlain = search === "" && new RegExp(settings.plainFragment).test(hash);
  if (isPlain && !Object.keys(stored).some((key) => sessionKey.test(key))) root.dataset.guest = "true";

  const page: EarlyPage = { isTouched: false, isComing: false, isAlive: false };
  window.earlyPage = page;
  for (const type of settings.touches) {
    const note = (event: Event) => {
      page.isTouched ||= touches(event);
    };
    document.addEventListener(type, note, { capture: true, passive: true });
  }
  hearClicks(page, {
    ...settings,
    inTab,
    onPress: (pressed) => {
      const language = pressed.getAttribute("hreflang");
      if (language) store(settings.languageKey, language);
      const { cookies } = pressed.dataset;
      if (cookies === "accept") store(settings.consentKey, "true");
      if (cookies) delete root.dataset.cookieNotice;
      return cookies !== undefined;
    },
  });
}
