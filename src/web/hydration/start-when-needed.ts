import { isSessionKey } from "../lib/auth/session-key.ts";
import { readStored, readStoredInTab } from "../lib/browser/storage.ts";
import { STORAGE_KEYS, TAB_STORAGE_KEYS } from "../lib/site/constants.ts";
import { GESTURE_EVENTS, isUserGesture, PLAIN_FRAGMENT } from "./pre-hydration.ts";

/**
 * Whether the application must start without waiting for a gesture: the page does nothing without it, there was a
 * gesture already, or something has to be read that only the application reads. That is a session, a message of the
 * auth service in the address (which must not stay there), an open recovery, the page that a guest wanted, or a chosen
 * theme, which the header shows.
 */
export function mustStartNow(): boolean {
  if (!window.pageStart?.waitsForGesture || window.preHydration?.hasGesture) return true;
  const isGuest = document.documentElement.dataset.guest === "true";
  const isOnTheWay = Boolean(window.history.state?.usr);
  const isSomethingKept =
    readStored(STORAGE_KEYS.theme) !== null || readStoredInTab(TAB_STORAGE_KEYS.recovery) !== null;
  return !isGuest || !isPlainAddress() || isOnTheWay || isSomethingKept;
}

/** Calls back once: on a gesture, on a fragment that is not a place on the page, or when another tab signs in. */
export function onFirstReason(callback: () => void): void {
  const controller = new AbortController();
  const { signal } = controller;
  const call = () => {
    controller.abort();
    callback();
  };
  for (const touch of GESTURE_EVENTS)
    document.addEventListener(touch, (event) => isUserGesture(event) && call(), {
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
