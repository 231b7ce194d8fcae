import { TOAST, TOAST_EDGE } from "../../lib/site/constants.ts";

/** A box on the screen, in pixels from its upper left corner. */
export interface ScreenBox {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

const AIR_PX = 8;

/** How far a box at the bottom of the screen must rise to cover none of the others; null if there is no room. */
export function riseAbove(box: ScreenBox, others: readonly ScreenBox[], mostPx: number): number | null {
  const besides = others.filter(({ left, right }) => left < box.right && right > box.left);
  let rise = 0;
  while (rise <= mostPx) {
    const covered = besides.filter(({ top, bottom }) => top < box.bottom - rise && bottom > box.top - rise);
    if (covered.length === 0) return rise;
    rise = box.bottom + AIR_PX - Math.min(...covered.map(({ top }) => top));
  }
  return null;
}

const BARS = "[data-keep-clear]";
const KEPT_VISIBLE = `h1, h2, h3, input, textarea, select, button[type=submit], ${BARS}`;
const RISE = "--toast-rise";
/** A dialog on a phone ends above the toasts. */
const ROOM = "--toast-room";

/**
 * Places the toasts at the bottom of the screen, above the bars there and the keyboard, where they cover no heading, no
 * field and no submit button. If there is no such place in the lower half, only the bars stay free. The place is chosen
 * when a toast or a dialog appears or a bar grows, e.g. by a notice, so that it does not move under a finger.
 */
export function placeToasts(toaster: HTMLElement): () => void {
  const { style } = document.documentElement;
  const place = () => {
    const toasts = [...toaster.querySelectorAll<HTMLElement>("[data-sonner-toast]")];
    const list = toaster.querySelector("ol");
    if (!list || toasts.length === 0) return;
    const box = boxOfToasts(list, toasts);
    style.setProperty(ROOM, `${innerHeight - box.top}px`);
    const rise = riseAbove(box, boxesOf(KEPT_VISIBLE), innerHeight / 2) ?? riseAbove(box, boxesOf(BARS), innerHeight);
    style.setProperty(RISE, `${keyboardHeight() + (rise ?? 0)}px`);
    style.setProperty(TOAST_EDGE, `${innerHeight - box.top + (rise ?? 0)}px`);
    for (const bar of document.querySelectorAll(BARS)) bars.observe(bar);
  };
  const bars = new ResizeObserver(place);
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => addedNodes.length > 0)) place();
    if (toaster.querySelector("[data-sonner-toast]")) return;
    for (const name of [ROOM, TOAST_EDGE]) style.removeProperty(name);
  });
  observer.observe(toaster, { childList: true, subtree: true });
  observer.observe(document.body, { childList: true });
  window.addEventListener("resize", place);
  window.visualViewport?.addEventListener("resize", place);
  place();
  return () => {
    observer.disconnect();
    bars.disconnect();
    window.removeEventListener("resize", place);
    window.visualViewport?.removeEventListener("resize", place);
    for (const name of [RISE, ROOM, TOAST_EDGE]) style.removeProperty(name);
  };
}

/** Where the toasts would be without a rise. The library stacks them, the newest in front. */
function boxOfToasts(list: Element, toasts: readonly HTMLElement[]): ScreenBox {
  const { left, right } = list.getBoundingClientRect();
  const root = getComputedStyle(document.documentElement);
  const bottom = innerHeight - Number.parseFloat(getComputedStyle(list).bottom) + parsePx(root.getPropertyValue(RISE));
  const front = toasts.find(({ dataset }) => dataset.front === "true") ?? toasts[0];
  const behind = Math.min(toasts.length, TOAST.visible) - 1;
  const height = (front?.offsetHeight ?? 0) + behind * TOAST.gapPx;
  return { left, right, bottom: bottom - keyboardHeight(), top: bottom - keyboardHeight() - height };
}

function parsePx(length: string): number {
  return Number.parseFloat(length) || 0;
}

function boxesOf(selector: string): ScreenBox[] {
  // A modal dialog covers the rest of the page.
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]');
  const dialog = [...dialogs].at(-1);
  const end = dialog?.getBoundingClientRect().bottom ?? innerHeight;
  return [...(dialog ?? document).querySelectorAll(selector)]
    .filter((element) => element.checkVisibility() && element.clientWidth > 1)
    .map((element) => element.getBoundingClientRect())
    .filter(({ top }) => top < end)
    .map(({ top, bottom, left, right }) => ({ top, bottom: Math.min(bottom, end), left, right }));
}

/** The part of the page that the keyboard of a phone covers. Zooming in also makes the visual viewport smaller. */
function keyboardHeight(): number {
  const { visualViewport } = window;
  if (!visualViewport || visualViewport.scale !== 1) return 0;
  return Math.max(0, innerHeight - visualViewport.height - visualViewport.offsetTop);
}
