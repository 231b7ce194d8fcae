/** Cooperative gestures: one finger and the plain wheel scroll the page, two fingers and Ctrl with the wheel move the map. */
import DoubleClickZoom from "ol/interaction/DoubleClickZoom.js";
import DragPan from "ol/interaction/DragPan.js";
import type Interaction from "ol/interaction/Interaction.js";
import MouseWheelZoom from "ol/interaction/MouseWheelZoom.js";
import PinchZoom from "ol/interaction/PinchZoom.js";
import type MapBrowserEvent from "ol/MapBrowserEvent.js";

/** The gesture that would have moved the map. */
export type Hint = "fingers" | "wheel";

export function createInteractions(onHint: (hint: Hint) => void): Interaction[] {
  const pan: DragPan = new DragPan({
    condition: (event: MapBrowserEvent) => {
      const { pointerType, button } = event.originalEvent as PointerEvent;
      if (pointerType !== "touch") return button === 0;
      return pan.getPointerCount() === 2;
    },
  });
  const wheel = new MouseWheelZoom({
    // A pinch on a touchpad comes with Ctrl.
    condition: ({ type, originalEvent }: MapBrowserEvent) => {
      const isMeant = originalEvent.ctrlKey || originalEvent.metaKey;
      if (!isMeant && type === "wheel") onHint("wheel");
      return isMeant;
    },
  });
  return [new DoubleClickZoom({ delta: 1, duration: 150 }), pan, new PinchZoom(), wheel];
}

const HINT_PIXELS = 24;

/** The page scrolls under one finger, so the map gets no drag of it. Returns a function that stops listening. */
export function watchOneFinger(target: HTMLElement, onHint: (hint: Hint) => void): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true };
  let from: Touch | undefined;
  target.addEventListener(
    "touchstart",
    ({ touches }) => {
      from = touches.length === 1 ? touches[0] : undefined;
    },
    options,
  );
  target.addEventListener(
    "touchmove",
    ({ touches: [finger] }) => {
      if (!from || !finger) return;
      if (Math.hypot(finger.clientX - from.clientX, finger.clientY - from.clientY) < HINT_PIXELS) return;
      from = undefined;
      onHint("fingers");
    },
    options,
  );
  return () => stop.abort();
}
