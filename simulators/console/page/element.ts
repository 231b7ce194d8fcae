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
