/**
 * What a reload that the person did not ask for would lose: typed text, opened forms and dialogs, and the scroll position. What
 * a button has opened is opened by it again. The address brings back the page and an opened home. Passwords are never stored.
 */
import { createTabStorage } from "../browser/storage.ts";
import { TAB_STORAGE_KEYS } from "../site/constants.ts";

const KEY = TAB_STORAGE_KEYS.keptPage;
/** The reloaded page loads its data before its forms appear. */
const RESTORE_MS = 20_000;
const OLDEST_MS = 60_000;

const storage = createTabStorage();

interface KeptField {
  name: string;
  value: string;
}

interface KeptPage {
  path: string;
  at: number;
  scrollY: number;
  dialog: string | null;
  opened: string[];
  fields: KeptField[];
}

type TextInput = HTMLInputElement | HTMLTextAreaElement;

/** A shown password has the type of a text, so fields for secrets are marked. */
const TYPED =
  'textarea, input:is([type="text"], [type="email"], [type="url"], [type="search"], [type="tel"], [type="number"], [type="time"], :not([type])):not([data-secret])';
const BUTTON = "button";

let openDialog: string | null = null;
let isKept = false;
const goneOpeners = new Set<HTMLButtonElement>();

/** The dialog to open again after a reload. */
export function noteOpenDialog(name: string | null): void {
  openDialog = name;
}

/** For a form that takes the place of the button that opened it. Returns what the end of the form calls. */
export function noteOpenForm(opener: HTMLButtonElement): () => void {
  goneOpeners.add(opener);
  return () => goneOpeners.delete(opener);
}

export function keepPage(now = Date.now()): void {
  const kept: KeptPage = {
    path: window.location.pathname + window.location.search,
    at: now,
    scrollY: window.scrollY,
    dialog: openDialog,
    opened: [
      ...named<HTMLButtonElement>(BUTTON).filter(([, button]) => isOpener(button)),
      ...numbered([...goneOpeners]),
    ].map(([name]) => name),
    fields: named<TextInput>(TYPED)
      .filter(([, field]) => field.value !== field.defaultValue || field.value !== "")
      .map(([name, { value }]) => ({ name, value })),
  };
  storage.setItem(KEY, JSON.stringify(kept));
  isKept = true;
}

/** Whether the page is being reloaded and loses nothing by it. */
export function isPageKept(): boolean {
  return isKept;
}

/** Fills in what was kept as soon as its fields appear. Returns the dialog to open. */
export function restorePage(now = Date.now()): string | null {
  const kept = takeKept();
  if (!kept || now - kept.at > OLDEST_MS || kept.path !== window.location.pathname + window.location.search)
    return null;
  const left = {
    opened: new Set(kept.opened),
    fields: new Map(kept.fields.map((one) => [one.name, one.value])),
    scrollY: kept.scrollY,
  };
  const fill = () => {
    openAgain(left.opened);
    typeAgain(left.fields);
    if (left.scrollY > 0 && document.documentElement.scrollHeight >= left.scrollY + window.innerHeight) {
      window.scrollTo({ top: left.scrollY, behavior: "instant" });
      left.scrollY = 0;
    }
  };
  const observer = new MutationObserver(fill);
  observer.observe(document.body, { childList: true, subtree: true });
  const stop = () => observer.disconnect();
  setTimeout(stop, RESTORE_MS);
  // From the first gesture on the person decides.
  for (const gesture of ["pointerdown", "keydown", "wheel"])
    window.addEventListener(gesture, stop, { once: true, passive: true });
  fill();
  return kept.dialog;
}

/** A menu is closed by the first touch, so nobody misses it. */
function isOpener({ ariaExpanded, ariaHasPopup }: HTMLButtonElement): boolean {
  return ariaExpanded === "true" && ariaHasPopup !== "menu";
}

function openAgain(left: Set<string>): void {
  if (left.size === 0) return;
  for (const [name, button] of named<HTMLButtonElement>(BUTTON)) {
    if (left.delete(name) && button.ariaExpanded !== "true") button.click();
  }
}

function typeAgain(left: Map<string, string>): void {
  for (const [name, field] of named<TextInput>(TYPED)) {
    const value = left.get(name);
    left.delete(name);
    if (value !== undefined && field.value !== value) type(field, value);
  }
}

function takeKept(): KeptPage | null {
  const json = storage.getItem(KEY);
  storage.removeItem(KEY);
  return json === null ? null : JSON.parse(json);
}

/** Each element with a name that is the same after a reload: its card, its label and its place among equals. */
function named<Element extends HTMLElement>(selector: string): [string, Element][] {
  return numbered([...document.querySelectorAll<Element>(selector)]);
}

function numbered<Element extends HTMLElement>(elements: readonly Element[]): [string, Element][] {
  const counts = new Map<string, number>();
  return elements.map((element) => {
    const card = element.closest<HTMLElement>("[data-find]")?.dataset.find ?? "";
    const label =
      "labels" in element && element.labels instanceof NodeList && element.labels[0]
        ? element.labels[0].textContent
        : (element.ariaLabel ?? element.textContent);
    const name = `${element.tagName} ${card} ${label} ${element.getAttribute("name") ?? ""}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return [`${name} ${count}`, element];
  });
}

/** React reads the value from an input event, and ignores one that was set by its own property. */
function type(field: TextInput, value: string): void {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype.prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
