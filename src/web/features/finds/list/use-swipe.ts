import { type PointerEvent, type RefObject, useMemo, useRef } from "react";

/** So far a finger may stray before it means anything. */
const SLACK_PX = 12;
/** So far it must go to do something. */
const DONE_PX = 96;

interface Swipe {
  onRight(): void;
  onLeft(): void;
}

/**
 * A swipe of a finger to the side. `touch-action: pan-y` on the element leaves all upward and downward movement to the browser,
 * which then cancels the pointer: scrolling is never taken from anyone.
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
      /** The finger that swiped presses nothing. */
      onClickCapture(event: { preventDefault(): void; stopPropagation(): void }) {
        if (!isSideways) return;
        isSideways = false;
        event.preventDefault();
        event.stopPropagation();
      },
    };
  }, [card]);
}

/** So far to the side; what the swipe will do stands behind the card. */
function place(card: HTMLElement, x: number): void {
  card.style.transform = x === 0 ? "" : `translateX(${x}px)`;
  card.style.transition = x === 0 ? "transform 150ms ease-out" : "none";
  const ground = card.parentElement;
  ground?.setAttribute("data-swipe", x === 0 ? "" : x > 0 ? "right" : "left");
  ground?.toggleAttribute("data-swiped", Math.abs(x) >= DONE_PX);
}
