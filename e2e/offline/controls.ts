// What a person can press on a page, found on the page itself, and what a press changes.
import type { Page } from "@playwright/test";

export interface Control {
  /** Where it is, what it is and what it is called. Controls that are alike, as on each card, count as one. */
  key: string;
  kind: "press" | "choose" | "type" | "jump";
  /** What a field takes. */
  takes: "email" | "url" | "password" | "digits" | "words";
  /** In the header, the footer and the notices, which all pages share. */
  isOfFrame: boolean;
  isSubmit: boolean;
  /** In which order they are pressed: what opens something first (in a dialog last, where it replaces a form), then fields and their form, then what leaves the page. */
  rank: number;
  selector: string;
}

/** Runs in the page, hence a string. */
const CONTROLS = `(() => {
  for (const one of document.querySelectorAll("[data-control]")) one.removeAttribute("data-control");
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.offsetWidth > 0;
  const layer = [...document.querySelectorAll("[role=dialog], [role=alertdialog], [role=menu]")].filter(isShown).at(-1) ??
    document.querySelector("header:has([aria-expanded=true])");
  const nameOf = (element) =>
    (element.ariaLabel || element.labels?.[0]?.textContent || element.textContent || element.name || "")
      .trim().replaceAll(/\\s+/g, " ").replaceAll(/\\d+/g, "0").replaceAll(/Soria|Teruel|Zamora|\\b(Ana|Eva)\\b/g, "Soria").slice(0, 60);
  const isChosen = (element) =>
    (element.type === "radio" && element.checked) ||
    (element.matches("[role=menuitemradio]") && element.ariaChecked === "true") ||
    (element.closest("header, fieldset") && element.ariaPressed === "true") ||
    (element.matches("select") && element.options.length < 2) ||
    (element.matches("a") && element.href === location.href);
  const leadsOut = (element) => element.matches("a") && (element.target === "_blank" || element.origin !== location.origin);
  // A skip link is on the screen only while it has the focus.
  const isJump = (element) =>
    element.matches("a[href^='#']") &&
    element.getBoundingClientRect().bottom + (getComputedStyle(element).position === "fixed" ? 0 : scrollY) <= 0;
  const rankOf = (element) => {
    if (element.hasAttribute("data-pressed")) return 4;
    if (element.matches("a")) return 5;
    if (element.type === "submit") return 2;
    const isText = element.matches("textarea, input:not([type=checkbox], [type=radio])");
    if (element.closest("[role=dialog]")) return isText ? 1 : 3;
    return isText ? 1 : 0;
  };
  const found = new Map();
  for (const element of document.querySelectorAll("a[href], button, summary, select, textarea, input, [role^=menuitem]")) {
    if (!isShown(element) || element.closest("[inert], [aria-hidden=true]") || leadsOut(element) || isChosen(element)) continue;
    if (layer && !layer.contains(element)) continue;
    if (element.disabled || element.readOnly || element.ariaDisabled === "true") continue;
    const place = element.closest("[role=dialog], [role=alertdialog], [role=menu], header, footer, section, main");
    const key = [place?.role || place?.localName || "page", element.role || element.type || element.localName, nameOf(element)].join(" · ");
    if (found.has(key)) continue;
    const isText = element.matches("textarea, input:not([type=checkbox], [type=radio], [type=time])");
    const kind = isText ? "type" : element.matches("select") ? "choose" : isJump(element) ? "jump" : "press";
    const isNumber = element.inputMode === "numeric" || element.name === "ids";
    const takes = isNumber ? "digits" : ["email", "url", "password"].includes(element.type) ? element.type : "words";
    element.setAttribute("data-control", found.size);
    found.set(key, {
      key, kind, takes, isSubmit: element.type === "submit", rank: rankOf(element), selector: '[data-control="' + found.size + '"]',
      isOfFrame: !element.closest("main, [role=dialog], [role=alertdialog]"),
    });
  }
  return [...found.values()];
})()`;

/** Everything that can be pressed now: in an open dialog or menu, only what is in it. Links to other sites are left out. */
export const controlsOn = (page: Page) => page.evaluate<Control[]>(CONTROLS);

/** Presses a control as a person would: chooses another option, or types something that fits. */
export async function pressControl(
  page: Page,
  { selector, kind }: Control,
  [typed, other]: readonly [string, string],
): Promise<void> {
  const target = page.locator(selector);
  await page.evaluate(`(() => {
    document.querySelector("[data-pressed]")?.removeAttribute("data-pressed");
    document.querySelector('${selector}')?.setAttribute("data-pressed", "");
  })()`);
  const timeout = 10_000;
  if (kind === "type")
    await target.fill((await target.inputValue({ timeout })) === typed ? other : typed, { timeout });
  else if (kind === "choose")
    await target.selectOption({ index: await otherOption(page, selector) }, { timeout });
  else if (kind === "jump") await target.press("Enter", { timeout });
  else await target.click({ timeout });
}

const otherOption = (page: Page, selector: string) =>
  page.evaluate<number>(`(() => {
    const { options, selectedIndex } = document.querySelector('${selector}');
    return selectedIndex === options.length - 1 ? 0 : options.length - 1;
  })()`);

const LOOK = `(() => {
  const states = ["aria-expanded", "aria-pressed", "aria-checked", "aria-current", "aria-busy", "aria-invalid", "open"];
  const marked = [...document.querySelectorAll(states.map((name) => "[" + name + "]").join())];
  const focus = document.activeElement;
  return JSON.stringify([
    location.href,
    document.documentElement.className,
    document.body.innerText,
    marked.map((element) => states.map((name) => element.getAttribute(name)).join()),
    [...document.querySelectorAll("input, select, textarea")].map((field) => [field.type, field.value, field.checked]),
    [...document.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL().length),
    focus.matches("input, textarea, h1, h2, h3, main") ? focus.outerHTML.slice(0, 200) : "",
  ]);
})()`;

/** What a person could tell apart: the address, the words, the states, the values and the focus of a page. */
export const lookOf = (page: Page) => page.evaluate<string>(LOOK);
