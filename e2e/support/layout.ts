import { expect, type Frame, type Page } from "@playwright/test";

/** Lists visible layout faults. Runs in the page, hence a string. */
const FAULTS = `(() => {
  const faults = [];
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.clientWidth + element.offsetWidth > 2;
  const nameOf = (element) => (element.innerText || element.ariaLabel || element.tagName).slice(0, 60);
  const linesOf = (element) => {
    const words = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== "");
    const tops = words.flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].map(({ top }) => Math.round(top));
    });
    return new Set(tops).size;
  };
  const dialog = document.querySelector('[role="dialog"]');
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  for (const element of (dialog ?? document.body).querySelectorAll("*")) {
    if (!(element instanceof HTMLElement) || !isSeen(element) || element.matches("input, textarea, .sr-only")) continue;
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    const isCut = style.overflowX !== "visible" && !/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    const isClamped = style.webkitLineClamp !== "none" && element.scrollHeight > element.clientHeight + 1;
    if (hasText && (isCut || isClamped)) faults.push("cut off: " + nameOf(element));
    if (!dialog && element.closest("main") && /auto|scroll/.test(style.overflowY) && style.overflowX !== style.overflowY &&
      element.scrollHeight > element.clientHeight + 1) faults.push("scrolls inside the page: " + nameOf(element));
    if (element.matches(":is([data-keep-clear], article, nav) button") && linesOf(element) > 1) faults.push("in two lines: " + nameOf(element));
    if (!element.matches("button, a[href], summary, select, [role^=menuitem]")) continue;
    const { width, height } = element.getBoundingClientRect();
    const isInSentence = style.display === "inline" && element.parentElement.innerText.length > element.innerText.length + 3;
    const isLargerThanSeen = getComputedStyle(element, "::after").position === "absolute";
    if (!isInSentence && !isLargerThanSeen && Math.min(width, height) < 23.5) faults.push("under 24 px: " + nameOf(element));
  }
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter(isSeen).map((element) => ({ selector, element, box: element.getBoundingClientRect() }));
  const toasts = boxes("[data-sonner-toast]").filter(({ element }) => element.dataset.removed !== "true");
  const notice = boxes("section:has(> div > [data-cookies])");
  const kept = [...(dialog ? [] : boxes("header a[aria-label]")), ...boxes('[role="dialog"] > button:last-child')];
  const inFront = dialog ? '[role="dialog"] ' : "";
  const end = dialog?.getBoundingClientRect().bottom ?? innerHeight;
  const keptFromToasts = ["[type=submit]", "[data-keep-clear]"]
    .flatMap((kind) => boxes(inFront + kind))
    .map(({ box: { left, right, top, bottom }, ...rest }) => ({ ...rest, box: { left, right, top, bottom: Math.min(bottom, end) } }));
  const meet = ({ box: a }, { box: b }) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  for (const over of [...toasts, ...notice]) {
    for (const under of [...kept, ...(toasts.includes(over) ? keptFromToasts : [])]) {
      if (meet(over, under)) faults.push(over.selector + " covers " + under.selector);
    }
  }
  for (const over of boxes("[data-connection-notice]")) {
    for (const under of [...toasts, ...boxes(":is(input, textarea, select):focus")]) {
      if (meet(over, under)) faults.push(over.selector + " covers " + under.selector);
    }
  }
  return [...new Set(faults)];
})()`;

/**
 * Expects that nothing is wider than the screen, cut off, too small to tap, or covers what must stay free, and that no button that
 * shares a row is in two lines.
 */
export async function expectSoundLayout(page: Page | Frame): Promise<void> {
  await expect.poll(() => page.evaluate<string[]>(FAULTS)).toEqual([]);
}

/** Names the elements that make the page wider than the screen. Runs in the page, hence a string. */
const WIDER = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.body.querySelectorAll("*")].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
  return [scrollWidth + " px", ...wide.map((element) => element.tagName + " " + element.className).slice(0, 5)];
})()`;

/** Where the bar with Next or Save is, if the page has one. Runs in the page, hence a string. */
const FOOT_BAR = `(() => {
  const bar = document.querySelector("main section[data-keep-clear]");
  if (!bar) return "in view";
  const { top, bottom, height } = bar.getBoundingClientRect();
  if (height === 0 || top < 0 || bottom > innerHeight) return "from " + top + " to " + bottom;
  return height < innerHeight / 5 ? "in view" : height + " px high";
})()`;

const UPRIGHT = { width: 390, height: 844 };
export const SIDEWAYS = { width: 844, height: 390 };

/** Expects of a phone that is rotated, or a window as small, that the page does not scroll sideways and shows Next or Save. */
export async function expectFitAfterResizing(page: Page): Promise<void> {
  // What is below has been laid out at the first width, and is remembered by the browser.
  await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
  for (const size of [UPRIGHT, SIDEWAYS, UPRIGHT]) {
    await page.setViewportSize(size);
    await expect.poll(() => page.evaluate(WIDER), `${size.width} px, at the end`).toEqual([]);
    await page.evaluate("window.scrollTo(0, 0)");
    await expect.poll(() => page.evaluate(WIDER), `${size.width} px, at the top`).toEqual([]);
    await expect.poll(() => page.evaluate(FOOT_BAR), `Next or Save at ${size.width} px`).toBe("in view");
  }
}
