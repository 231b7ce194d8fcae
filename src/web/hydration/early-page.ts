/** What the script in the head noted before the application was there; see boot-script.ts. */
export interface EarlyPage {
  /** Somebody has touched the page: moved over it, scrolled it, pressed a key. */
  isTouched: boolean;
  /** The application can be fetched: links may wait for it. */
  isComing: boolean;
  /** It is there, and hears clicks itself. */
  isAlive: boolean;
  /** The last button or link that was pressed before. */
  click?: { element: HTMLElement; detail: number } | undefined;
}

/** What a prerendered page says about its own start; see start-script.ts. */
export interface PageStart {
  /** The scripts of the application, in the order in which they need one another. */
  files: readonly string[];
  /** Nothing on the page needs the application until it is touched. */
  isLater: boolean;
  loadRoutes(load: (file: string) => Promise<unknown>): Promise<void>;
}

declare global {
  interface Window {
    earlyPage?: EarlyPage;
    pageStart?: PageStart;
  }
}

/** A place on the page. Any other fragment may be a message of the auth service's. */
export const PLAIN_FRAGMENT = /^(#[\w-]*)?$/;

export const TOUCHES = ["pointerdown", "pointermove", "wheel", "scroll", "keydown", "focusin"] as const;

/**
 * A page that appears under a resting pointer is told of a move as well, one of no distance; a heading is given the focus
 * by us alone. It refers to nothing outside itself: its source also runs in the head of every page.
 */
export function isTouch(event: Event): boolean {
  if (event.type === "focusin") return !(event.target instanceof HTMLHeadingElement);
  if (event.type !== "pointermove" || !(event instanceof PointerEvent)) return true;
  return event.movementX !== 0 || event.movementY !== 0;
}

/** From now on the application hears everything itself. It missed what the pointer rests on, which it prepares for. */
export function beAlive(): void {
  if (!window.earlyPage || window.earlyPage.isAlive) return;
  window.earlyPage.isAlive = true;
  const hovered = [...document.querySelectorAll(":hover")].at(-1);
  for (const type of ["pointerover", "mouseover"])
    hovered?.dispatchEvent(new MouseEvent(type, { bubbles: true }));
}

/** Presses again what was pressed too early: a link at once, a button when it is known who is here, which decides for some. */
export function honourEarlyClick({ isSessionKnown }: { isSessionKnown: boolean }): void {
  if (!isSessionKnown && !(window.earlyPage?.click?.element instanceof HTMLAnchorElement)) return;
  beAlive();
  const { element, detail } = takeEarlyClick() ?? {};
  // Its detail is kept: a menu opened by a key is told by it.
  element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: detail ?? 0 }));
}

/** The application does not come: a link then leads where it leads without one. */
export function followEarlyLink(): void {
  if (window.earlyPage) window.earlyPage.isComing = false;
  const { element } = takeEarlyClick() ?? {};
  if (element instanceof HTMLAnchorElement) element.click();
}

function takeEarlyClick(): EarlyPage["click"] {
  const click = window.earlyPage?.click;
  if (!window.earlyPage || !click) return undefined;
  window.earlyPage.click = undefined;
  delete click.element.dataset.waiting;
  return click;
}
