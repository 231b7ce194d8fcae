import { readStored, readStoredInTab } from "../lib/browser/storage.ts";
import { STORAGE_KEYS, TAB_STORAGE_KEYS } from "../lib/site/constants.ts";
import { isTouch, PLAIN_FRAGMENT, TOUCHES } from "./early-page.ts";
import { isSessionKey } from "./session-key.ts";

/**
 * Whether the page cannot wait for a touch: it is one of those that do nothing without the application, it was touched
 * already, or there is something to be read that only the application reads. That is a session, a message of the auth
 * service in the address (which must not stay there), a recovery that was left open, where a guest was going, a theme
 * the header must name.
 */
export function isNeededNow(): boolean {
  if (!window.pageStart?.isLater || window.earlyPage?.isTouched) return true;
  const isGuest = document.documentElement.dataset.guest === "true";
  const isOnTheWay = Boolean(window.history.state?.usr);
  const isSomethingKept =
    readStored(STORAGE_KEYS.theme) !== null || readStoredInTab(TAB_STORAGE_KEYS.recovery) !== null;
  return !isGuest || !isPlainAddress() || isOnTheWay || isSomethingKept;
}

/** Calls once, when the page is touched, gets an address that means something, or another tab signs in. */
export function onFirstNeed(callback: () => void): void {
  const controller = new AbortController();
  const { signal } = controller;
  const call = () => {
    controller.abort();
    callback();
  };
  for (const touch of TOUCHES)
    document.addEventListener(touch, (event) => isTouch(event) && call(), {
      signal,
      capture: true,
      passive: true,
    });
  window.addEventListener("hashchange", () => isPlainAddress() || call(), { signal });
  window.addEventListener("storage", ({ key }) => isSessionKey(key) && call(), { signal });
}

function isPlainAddress(): boolean {
  const { search, hash } = window.location;
  return search === "" && PLAIN_FRAGMENT.test(hash);
}
