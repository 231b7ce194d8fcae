import { type RefObject, useEffect, useRef } from "react";
import { noteOpenForm } from "../parts/kept-page.ts";

/** Returns the focus to the button that opened a form when the form closes. A reload that keeps the page opens the form again. */
export function useFocusOnClose(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const last = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
    last.current = opener.current ?? last.current;
    return isOpen && last.current ? noteOpenForm(last.current) : undefined;
  }, [isOpen]);
  return opener;
}
