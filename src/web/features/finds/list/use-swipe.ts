import { type PointerEvent, type RefObject, useMemo, useRef } from "react";

/** Movement below this is ignored. */
const SLACK_PX = 12;
/** The distance that triggers the action. */
const DONE_PX = 96;

interface Swipe {
  onRight(): void;
  onLeft(): void;
}

/**
 * A horizontal swipe. With `touch-action: pan-y` on the element the browser keeps vertical scrolling, and cancels the
 * pointer for it.
 */
export function useSwipe(card: RefObject<HTMLElement | null>, actions: Swipe) {
  const latest = useRef(actions);
  latest.current = actions;
  return useMemo(() => {
    let start: { id: number; x: number; y: number } | undefined;
    let isSideways = false;
    const move = (x: number) => {
      if (card.current) place(card.current, x);
    };
    const end = () => {
      start = undefined;
      move(0);
    };
    return {
      onPointerDown(event: PointerEvent) {
        isSideways = false;
        if (event.pointerType !== "touch" || !event.isPrimary) return;
        start = { id: event.pointerId, x: event.clientX, y: event.clientY };
      },
      onPointerMove(event: PointerEvent) {
        if (start?.id !== event.pointerId) return;
        const [x, y] = [event.clientX - start.x, event.clientY - start.y];
        if (!isSideways && Math.abs(x) > SLACK_PX && Math.abs(x) > 2 * Math.abs(y)) {
          isSideways = true;
          card.current?.setPointerCapture(event.pointerId);
        }
        if (isSideways) move(x);
      },
      onPointerUp(event: PointerEvent) {
        if (start?.id !== event.pointerId) return;
        const x = event.clientX - start.x;
        const isDone = isSideways && Math.abs(x) >= DONE_PX;
        end();
        if (isDone && x > 0) latest.current.onRight();
        else if (isDone) latest.current.onLeft();
      },
      onPointerCancel: end,
      /** A swipe must not click. */
      onClickCapture(event: { preventDefault(): void; stopPropagation(): void }) {
        if (!isSideways) return;
        isSideways = false;
        event.preventDefault();
        event.stopPropagation();
      },
    };
  }, [card]);
}

/** Moves the card sideways; the action is shown behind it. */
function place(card: HTMLElement, x: number): void {
  card.style.transform = x === 0 ? "" : `translateX(${x}px)`;
  card.style.transition = x === 0 ? "transform 150ms ease-out" : "none";
  const ground = card.parentElement;
  ground?.setAttribute("data-swipe", x === 0 ? "" : x > 0 ? "right" : "left");
  ground?.toggleAttribute("data-swiped", Math.abs(x) >= DONE_PX);
}
