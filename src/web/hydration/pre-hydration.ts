/**
 * Hydration on the first interaction (decision 0013). A prerendered page has three states:
 *
 *   static ─► loading      at once, or on a public page with the first user gesture (`start-when-needed.ts` has all reasons)
 *   loading ─► hydrated    React has taken over the page: `markHydrated`
 *   loading ─► static      the server answers, but a file is missing: links are plain links again, and a waiting one is followed
 *
 * Without a connection the page stays in `loading` and says so. Either way the next gesture, the connection or a delay begins
 * another attempt. The one inline script (`boot-script.ts`) runs before all others. It notes gestures, holds the last click until it
 * can be replayed (`early-clicks.ts`): in `static` a link is followed, and so is one clicked twice; and it says so if entry.client
 * itself is missing (`entry-failure.ts`).
 */
export interface PreHydration {
  state: "static" | "loading" | "hydrated";
  hasGesture: boolean;
  click?: { element: HTMLElement; detail: number } | undefined;
}

/** How a prerendered page starts; written by start-script.ts. */
export interface PageStart {
  /** The scripts of the application, each after those it imports. */
  files: readonly string[];
  /** Nothing on the page needs the application before the first gesture. */
  waitsForGesture: boolean;
  loadRoutes(load: (file: string) => Promise<unknown>): Promise<void>;
}

declare global {
  interface Window {
    preHydration?: PreHydration;
    pageStart?: PageStart;
  }
}

/** A fragment that names a place on the page. Any other one may carry an answer of the auth service. */
export const PLAIN_FRAGMENT = /^(#[\w-]*)?$/;

export const GESTURE_EVENTS = [
  "pointerdown",
  "pointermove",
  "wheel",
  "scroll",
  "keydown",
  "focusin",
] as const;

/**
 * Browsers send a pointermove without movement when a page appears under a resting pointer, and only our own code focuses a
 * heading. The source of this function runs in the head of every page, so it must not refer to anything outside itself.
 */
export function isUserGesture(event: Event): boolean {
  if (event.type === "focusin") return !(event.target instanceof HTMLHeadingElement);
  if (event.type !== "pointermove" || !(event instanceof PointerEvent)) return true;
  return event.movementX !== 0 || event.movementY !== 0;
}

/** Sends the hover events that React missed to the element under the pointer, which preloads on hover. */
export function markHydrated(): void {
  if (!window.preHydration || window.preHydration.state === "hydrated") return;
  window.preHydration.state = "hydrated";
  const hovered = [...document.querySelectorAll(":hover")].at(-1);
  for (const type of ["pointerover", "mouseover"])
    hovered?.dispatchEvent(new MouseEvent(type, { bubbles: true }));
}

/** Replays a waiting link at once, and a waiting button when the session is known, because some buttons depend on it. */
export function replayClick({ isSessionKnown }: { isSessionKnown: boolean }): void {
  if (!isSessionKnown && !(window.preHydration?.click?.element instanceof HTMLAnchorElement)) return;
  markHydrated();
  const { element, detail } = takeClick() ?? {};
  // `detail` tells a menu whether it was opened by a key.
  element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: detail ?? 0 }));
}

/** The application could not be loaded: links work as plain links, also a waiting one. */
export function followWaitingLink(): void {
  if (!window.preHydration) return;
  window.preHydration.state = "static";
  if (window.preHydration.click?.element instanceof HTMLAnchorElement) takeClick()?.element.click();
}

function takeClick(): PreHydration["click"] {
  const click = window.preHydration?.click;
  if (!window.preHydration || !click) return undefined;
  window.preHydration.click = undefined;
  delete click.element.dataset.waiting;
  return click;
}
