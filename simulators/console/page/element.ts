type Props<Name extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[Name], "children">>;

/** Creates an element with properties and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  props: Props<Name>,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), props);
  made.append(...content);
  return made;
}

/** A button that is disabled while its action runs. */
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

export function choiceButton(title: string, isChosen: boolean, choose: () => unknown): HTMLButtonElement {
  const made = button(title, choose);
  made.setAttribute("aria-pressed", String(isChosen));
  return made;
}

/** A form with one line. */
export function form(fields: readonly HTMLElement[], submit: () => unknown): HTMLFormElement {
  const made = element("form", { className: "row" }, ...fields);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  return made;
}

export function select(ariaLabel: string, values: readonly string[]): HTMLSelectElement {
  return element("select", { ariaLabel }, ...values.map((value) => element("option", {}, value)));
}

type Key = string | number;

/**
 * A list that renders an item again only if it has changed. Unchanged items keep their elements, and with them typed text,
 * selection and focus.
 */
export function createList<Item>(
  parent: Element,
  keyOf: (item: Item) => Key,
  draw: (item: Item) => HTMLElement,
): (items: readonly Item[]) => void {
  const drawn = new Map<Key, { as: string; element: HTMLElement }>();
  const elementOf = (item: Item) => {
    const as = JSON.stringify(item);
    const known = drawn.get(keyOf(item));
    if (known?.as === as) return known.element;
    const made = { as, element: draw(item) };
    drawn.set(keyOf(item), made);
    return made.element;
  };
  return (items) => {
    const wanted = items.map(elementOf);
    const kept = new Set<Element>(wanted);
    for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
    for (const [index, child] of wanted.entries()) {
      const before = parent.children[index] ?? null;
      if (before !== child) parent.insertBefore(child, before);
    }
  };
}
