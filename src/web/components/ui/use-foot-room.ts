import { type RefObject, useEffect } from "react";

const ROOM = "--foot-room";

/** For a bar that sticks to the bottom of the screen: notices stay above it, and it does not cover the focused field. */
export function useFootRoom(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    const { style } = document.documentElement;
    const measure = () => {
      const { position, bottom } = getComputedStyle(element);
      const isOverPage = element.offsetHeight > 0 && position === "sticky";
      if (!isOverPage) {
        style.removeProperty(ROOM);
        return;
      }
      style.setProperty(ROOM, `${element.offsetHeight + Number.parseFloat(bottom)}px`);
      showFocusedField();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(ROOM);
    };
  }, [bar]);
}

/** Scrolls to the focused field if something at the bottom of the screen covers it; see `scroll-padding-bottom` in the styles. */
export function showFocusedField(): void {
  const focused = document.activeElement;
  if (focused?.matches("input, textarea, select")) focused.scrollIntoView({ block: "nearest" });
}
