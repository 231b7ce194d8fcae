import { type RefObject, useEffect, useState } from "react";

const SHOWN_MS = 4_000;

/** If the clipboard is blocked, selects the text so that the person can copy it. */
export function useCopy(value: string, shown: RefObject<HTMLElement | null>) {
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null);
  useEffect(() => {
    if (outcome !== "copied") return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome("copied");
    } catch {
      select(shown.current);
      setOutcome("refused");
    }
  };
  return { outcome, copy };
}

function select(element: HTMLElement | null): void {
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else if (element) window.getSelection()?.selectAllChildren(element);
}
