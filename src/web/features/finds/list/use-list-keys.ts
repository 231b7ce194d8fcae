import { type RefObject, useEffect, useRef } from "react";
import type { FoundHome } from "#core/finds/find.ts";

export const LIST_KEYS = ["j", "k", "o", "s", "h", "n", "?"] as const;
export type ListKey = (typeof LIST_KEYS)[number];

interface ListActions {
  open(find: FoundHome): void;
  keep(find: FoundHome): void;
  hide(find: FoundHome): void;
  note(find: FoundHome): void;
  help(): void;
}

const ACTION_OF = { o: "open", s: "keep", h: "hide", n: "note" } as const;

interface Keyed {
  list: RefObject<HTMLElement | null>;
  finds: readonly FoundHome[];
  isOn: boolean;
  actions: ListActions;
}

/** Single-letter shortcuts, off while the person types or a dialog is open. */
export function useListKeys(keyed: Keyed): void {
  const latest = useRef(keyed);
  useEffect(() => {
    latest.current = keyed;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping()) return;
      const key = LIST_KEYS.find((each) => each === event.key.toLowerCase());
      if (key && press(key, latest.current)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isTyping(): boolean {
  const focused = document.activeElement;
  const isEditable = focused instanceof HTMLElement && focused.isContentEditable;
  return (
    isEditable ||
    focused?.matches("input, textarea, select") === true ||
    document.querySelector('[role="dialog"], [role="menu"]') !== null
  );
}

/** Returns whether the key did something. */
function press(key: ListKey, { list, finds, isOn, actions }: Keyed): boolean {
  if (!isOn) return false;
  if (key === "?") {
    actions.help();
    return true;
  }
  const cards = [...(list.current?.querySelectorAll<HTMLElement>("[data-find]") ?? [])];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  if (key === "j" || key === "k") {
    return moveTo(at === -1 ? firstInView(cards) : cards[at + (key === "j" ? 1 : -1)]);
  }
  const find = finds.find(({ homeId }) => homeId === cards[at]?.dataset.find);
  if (!find) return false;
  // The next card takes the position and the focus of the hidden one.
  if (key === "h") (cards[at + 1] ?? cards[at - 1])?.focus();
  actions[ACTION_OF[key]](find);
  return true;
}

function moveTo(card: HTMLElement | undefined): boolean {
  card?.focus();
  card?.scrollIntoView({ block: "nearest" });
  return card !== undefined;
}

function firstInView(cards: readonly HTMLElement[]): HTMLElement | undefined {
  return cards.find((card) => card.getBoundingClientRect().top >= 0) ?? cards.at(-1);
}
