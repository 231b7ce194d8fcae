import { setTimeout as wait } from "node:timers/promises";

/** A browser that is driven from outside. Both W3C protocols, WebDriver and WebDriver BiDi, take the same input actions. */
export interface RemoteBrowser {
  readonly version: string;
  goTo(url: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** The value of an expression in the page, as JSON. */
  evaluate<Value>(expression: string): Promise<Value>;
  perform(actions: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;
const STEP_MS = 100;

/** Waits until the page or the product has an answer other than null. */
export async function waitFor<Value>(what: string, look: () => Promise<Value | null>): Promise<Value> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    // While a page is being replaced, its expressions fail.
    const seen = await look().catch(() => null);
    if (seen !== null) return seen;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await wait(STEP_MS);
  }
}

interface Point {
  x: number;
  y: number;
}

/** Clicks the first visible element with this selector and text. */
export async function click(browser: RemoteBrowser, selector: string, text: string): Promise<void> {
  const { x, y } = await waitFor(`${selector} "${text}"`, () =>
    browser.evaluate<Point | null>(`(${pointOf})(${JSON.stringify(selector)}, ${JSON.stringify(text)})`),
  );
  const actions = [
    { type: "pointerMove", x, y, duration: 0, origin: "viewport" },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
  await browser.perform([{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }]);
}

/** Clicks a label, which focuses its field, and types. */
export async function fill(browser: RemoteBrowser, label: string, text: string): Promise<void> {
  await click(browser, "label", label);
  const actions = [...text].flatMap((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
  await browser.perform([{ type: "key", id: "keyboard", actions }]);
}

export async function expectText(browser: RemoteBrowser, text: string): Promise<void> {
  await waitFor(`"${text}"`, async () =>
    (await browser.evaluate<boolean>(`document.body.innerText.includes(${JSON.stringify(text)})`))
      ? true
      : null,
  );
}

/** Runs in the page. The middle of an element that is in view, at rest and not covered. */
const pointOf = `(selector, text) => {
  const isMeant = (element) =>
    element.checkVisibility() && (element.ariaLabel ?? element.innerText).trim().includes(text);
  const element = [...document.querySelectorAll(selector)].find(isMeant);
  if (!element) return null;
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const point = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  const top = document.elementFromPoint(point.x, point.y);
  return element.contains(top) || top?.contains(element) ? point : null;
}`;
