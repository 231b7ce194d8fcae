/** Mouse, wheel and fingers over a map. One finger scrolls the page, two move the map. */
import type { Pixel } from "#core/map/view.ts";

export interface Hands {
  readonly pan: (by: Pixel) => void;
  readonly zoom: (factor: number, at: Pixel) => void;
  readonly tap: (at: Pixel) => void;
  readonly comeNearer: (at: Pixel) => void;
  readonly hint: (kind: "fingers" | "wheel") => void;
}

/** Less is a hand that trembles. */
const DRAG_PIXELS = 5;
const DOUBLE_TAP_MS = 320;
const DOUBLE_TAP_PIXELS = 30;

export function listenToHands(canvas: HTMLCanvasElement, hands: Hands): { dispose: () => void } {
  const stop = new AbortController();
  const { signal } = stop;
  listenToMouse(canvas, hands, signal);
  listenToFingers(canvas, hands, signal);
  listenToWheel(canvas, hands, signal);
  return { dispose: () => stop.abort() };
}

function listenToMouse(canvas: HTMLCanvasElement, hands: Hands, signal: AbortSignal): void {
  let last: Pixel | undefined;
  let moved = 0;
  let lastTap: (Pixel & { atMs: number }) | undefined;
  canvas.addEventListener(
    "pointerdown",
    (event) => {
      moved = 0;
      if (event.pointerType === "touch" || event.button !== 0) return;
      last = pixelIn(canvas, event);
      canvas.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  canvas.addEventListener(
    "pointermove",
    (event) => {
      if (!last) return;
      const at = pixelIn(canvas, event);
      moved += Math.hypot(at.left - last.left, at.top - last.top);
      if (moved >= DRAG_PIXELS) hands.pan({ left: at.left - last.left, top: at.top - last.top });
      last = at;
    },
    { signal },
  );
  const end = () => {
    last = undefined;
  };
  canvas.addEventListener("pointerup", end, { signal });
  canvas.addEventListener("pointercancel", end, { signal });
  canvas.addEventListener(
    "click",
    (event) => {
      if (moved >= DRAG_PIXELS) return;
      const at = pixelIn(canvas, event);
      const isSecond =
        lastTap !== undefined &&
        event.timeStamp - lastTap.atMs < DOUBLE_TAP_MS &&
        Math.hypot(at.left - lastTap.left, at.top - lastTap.top) < DOUBLE_TAP_PIXELS;
      lastTap = isSecond ? undefined : { ...at, atMs: event.timeStamp };
      if (isSecond) hands.comeNearer(at);
      else hands.tap(at);
    },
    { signal },
  );
}

interface Grip extends Pixel {
  readonly apart: number;
}

function listenToFingers(canvas: HTMLCanvasElement, hands: Hands, signal: AbortSignal): void {
  let grip: Grip | undefined;
  let oneFingerFrom: Pixel | undefined;
  const begin = (event: TouchEvent) => {
    const [first, second] = event.touches;
    grip = first && second ? gripOf(canvas, first, second) : undefined;
    oneFingerFrom = first && !second ? pixelIn(canvas, first) : undefined;
  };
  canvas.addEventListener("touchstart", begin, { signal, passive: true });
  canvas.addEventListener("touchend", begin, { signal, passive: true });
  canvas.addEventListener("touchcancel", begin, { signal, passive: true });
  canvas.addEventListener(
    "touchmove",
    (event) => {
      const [first, second] = event.touches;
      if (first && second && grip) {
        event.preventDefault();
        const next = gripOf(canvas, first, second);
        hands.pan({ left: next.left - grip.left, top: next.top - grip.top });
        if (grip.apart > 0 && next.apart > 0) hands.zoom(next.apart / grip.apart, next);
        grip = next;
      } else if (first && oneFingerFrom) {
        const at = pixelIn(canvas, first);
        if (Math.hypot(at.left - oneFingerFrom.left, at.top - oneFingerFrom.top) > 24) hands.hint("fingers");
      }
    },
    { signal, passive: false },
  );
}

/** A wheel scrolls the page until the map was clicked or focused; a pinch on a touchpad comes with Ctrl. */
function listenToWheel(canvas: HTMLCanvasElement, hands: Hands, signal: AbortSignal): void {
  canvas.addEventListener(
    "wheel",
    (event) => {
      const isMeant = event.ctrlKey || event.metaKey || document.activeElement === canvas.parentElement;
      if (!isMeant) return hands.hint("wheel");
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
      const most = Math.max(-240, Math.min(240, pixels));
      hands.zoom(2 ** (-most / (event.ctrlKey ? 120 : 280)), pixelIn(canvas, event));
    },
    { signal, passive: false },
  );
}

function pixelIn(canvas: HTMLCanvasElement, at: { clientX: number; clientY: number }): Pixel {
  const { left, top } = canvas.getBoundingClientRect();
  return { left: at.clientX - left, top: at.clientY - top };
}

function gripOf(canvas: HTMLCanvasElement, first: Touch, second: Touch): Grip {
  const one = pixelIn(canvas, first);
  const other = pixelIn(canvas, second);
  return {
    left: (one.left + other.left) / 2,
    top: (one.top + other.top) / 2,
    apart: Math.hypot(one.left - other.left, one.top - other.top),
  };
}
