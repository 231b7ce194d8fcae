import { LANGUAGES } from "#core/languages.ts";
import { SESSION_KEY } from "../auth/session-key.ts";
import { STORAGE_KEYS } from "../site/constants.ts";
import { destinationOf } from "../site/destination-of.ts";
import { type EarlyPage, isTouch, PLAIN_FRAGMENT, TOUCHES } from "./early-page.ts";

interface BootSettings {
  languages: readonly string[];
  languageKey: string;
  themeKey: string;
  consentKey: string;
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
    sessionKey: SESSION_KEY.source,
    plainFragment: PLAIN_FRAGMENT.source,
    touches: TOUCHES,
  };
  return `(${boot.toString()})(${destinationOf.toString()},${isTouch.toString()},${JSON.stringify(settings)})`;
}

function boot(destination: typeof destinationOf, touches: typeof isTouch, settings: BootSettings): void {
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
  const theme = read(settings.themeKey);
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const { pathname, search, hash } = window.location;
  const elsewhere = destination({
    pathname,
    search,
    hash,
    storedLanguage: read(settings.languageKey),
    browserLanguages: navigator.languages,
    languages: settings.languages,
  });
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
  const answerNotice = ({ dataset: { cookies } }: HTMLElement) => {
    if (cookies === "accept") store(settings.consentKey, "true");
    if (cookies) delete root.dataset.cookieNotice;
    return cookies !== undefined;
  };
  const isForApplication = (pressed: HTMLElement, click: MouseEvent) => {
    if (!(pressed instanceof HTMLAnchorElement)) return true;
    const isPlain =
      click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey;
    const isOurs = pressed.origin === window.location.origin && pressed.pathname !== window.location.pathname;
    return page.isComing && isPlain && isOurs && !pressed.target && !pressed.hreflang;
  };
  const onClick = (click: MouseEvent) => {
    const pressed = click.target instanceof Element && click.target.closest<HTMLElement>("button, a[href]");
    if (!pressed) return;
    const language = pressed.getAttribute("hreflang");
    if (language) store(settings.languageKey, language);
    if (answerNotice(pressed) || page.isAlive || !isForApplication(pressed, click)) return;
    // Kept for the application, which presses it again; React half awake would drop it, or answer twice.
    click.preventDefault();
    click.stopImmediatePropagation();
    if (page.click) delete page.click.element.dataset.waiting;
    page.click = { element: pressed, detail: click.detail };
    pressed.dataset.waiting = "true";
  };
  document.addEventListener("click", onClick, true);
}
