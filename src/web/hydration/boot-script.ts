import { LANGUAGES } from "#core/languages.ts";
import { sitePath } from "#core/site-path.ts";
import { SESSION_KEY } from "../lib/auth/session-key.ts";
import { LOAD_DELAY_MS, STORAGE_KEYS, TAB_STORAGE_KEYS } from "../lib/site/constants.ts";
import { destinationOf } from "../lib/site/destination-of.ts";
import { PAGE_DATA_ID } from "../lib/site/page-data.ts";
import { holdEarlyClicks } from "./early-clicks.ts";
import { watchEntry } from "./entry-failure.ts";
import { GESTURE_EVENTS, isUserGesture, PLAIN_FRAGMENT, type PreHydration } from "./pre-hydration.ts";
import { NOTICE_CLASSES, NOTICE_ID } from "./start-failure.ts";

interface BootSettings {
  languages: readonly string[];
  languageKey: string;
  themeKey: string;
  consentKey: string;
  arrivalKey: string;
  sessionKey: string;
  plainFragment: string;
  touches: readonly string[];
  entry: Parameters<typeof watchEntry>[0];
}

/**
 * Source of the inline script in the head. It sets the theme and redirects to the right language before the first
 * paint, and does what a page needs before hydration: the cookie notice, the guest's buttons in the header, the
 * language links of the footer, holding early clicks, and saying so if the first script of the page is missing.
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
    touches: GESTURE_EVENTS,
    entry: {
      pageDataId: PAGE_DATA_ID,
      noticeId: NOTICE_ID,
      noticeClasses: NOTICE_CLASSES,
      reloadedKey: TAB_STORAGE_KEYS.reloadedFor,
      delayMs: LOAD_DELAY_MS,
    },
  };
  const parts = `{destination:${destinationOf},toSitePath:${sitePath},touches:${isUserGesture},holdClicks:${holdEarlyClicks},watchEntry:${watchEntry}}`;
  return `(${boot})(${parts},${JSON.stringify(settings)})`;
}

interface Parts {
  destination: typeof destinationOf;
  toSitePath: typeof sitePath;
  touches: typeof isUserGesture;
  holdClicks: typeof holdEarlyClicks;
  watchEntry: typeof watchEntry;
}

function boot(parts: Parts, settings: BootSettings): void {
  const { destination, toSitePath, touches, holdClicks, watchEntry } = parts;
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
      // Storage is blocked: the choice holds for this page only.
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
  const sessionKey = new RegExp(settings.sessionKey);
  const hasSession = Object.keys(stored).some((key) => sessionKey.test(key));
  if (read(settings.consentKey) === null && !hasSession) root.dataset.cookieNotice = "shown";
  const isPlain = search === "" && new RegExp(settings.plainFragment).test(hash);
  if (isPlain && !hasSession) root.dataset.guest = "true";

  const page: PreHydration = { state: "static", hasGesture: false };
  window.preHydration = page;
  watchEntry(settings.entry);
  for (const type of settings.touches) {
    const note = (event: Event) => {
      page.hasGesture ||= touches(event);
    };
    document.addEventListener(type, note, { capture: true, passive: true });
  }
  holdClicks(page, {
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
