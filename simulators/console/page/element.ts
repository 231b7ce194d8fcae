type Props<Name extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[Name], "children">>;

/** An element with its properties and what stands in it. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  props: Props<Name>,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), props);
  made.append(...content);
  return made;
}

/** A button that does one thing and cannot be pressed twice meanwhile. */
export function button(title: string, act: () => Promise<unknown> | unknown): HTMLButtonElement {
  const made = element("button", { type: "button" }, title);
  made.addEventListener("click", async () => {
    made.disabled = true;
    try {
      await act();
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

/**
 * Puts these into the parent, in this order. What is already there stays untouched, and with it what is typed, chosen,
 * selected or focused in it: a page that is looked at is not rebuilt under its reader's hands.
 */
export function setChildren(parent: Element, wanted: readonly HTMLElement[]): void {
  const focused = focusWithin(parent);
  const kept = new Set<Element>(wanted);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  for (const [index, child] of wanted.entries()) {
    const before = parent.children[index] ?? null;
    if (before !== child) parent.insertBefore(child, before);
  }
  focused?.restore(wanted);
}

/** Draws a thing once, and again only when it has changed. */
export function createDrawings(): (
  key: string | number,
  thing: unknown,
  draw: () => HTMLElement,
) => HTMLElement {
  const drawn = new Map<string, { as: string; drawing: HTMLElement }>();
  return (key, thing, draw) => {
    const as = JSON.stringify(thing);
    const known = drawn.get(String(key));
    if (known?.as === as) return known.drawing;
    const drawing = draw();
    drawing.dataset.key = String(key);
    drawn.set(String(key), { as, drawing });
    return drawing;
  };
}

/** Loads one after the other: an answer that was overtaken never shows, and what happens meanwhile is looked at after. */
export function oneAtATime(load: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    next = undefined;
    running = load().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}

/** Where the focus is; what is drawn anew gets it back at the same place. */
function focusWithin(parent: Element): { restore: (wanted: readonly HTMLElement[]) => void } | undefined {
  const focused = document.activeElement;
  const child = [...parent.children].find((one) => one.contains(focused));
  if (!(focused instanceof HTMLElement) || !(child instanceof HTMLElement)) return undefined;
  const path: number[] = [];
  for (let at: Element = focused; at !== child && at.parentElement; at = at.parentElement) {
    path.unshift([...at.parentElement.children].indexOf(at));
  }
  return {
    restore: (wanted) => {
      if (document.activeElement === focused) return;
      const key = child.dataset.key;
      const again = wanted.find((one) => one === child || (key !== undefined && one.dataset.key === key));
      const place = path.reduce<Element | undefined>((at, index) => at?.children[index], again);
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    },
  };
}
