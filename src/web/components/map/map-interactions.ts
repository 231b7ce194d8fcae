/** Cooperative gestures: one finger and the plain wheel scroll the page, two fingers and Ctrl with the wheel move the map. */
import DoubleClickZoom from "ol/interaction/DoubleClickZoom.js";
import DragPan from "ol/interaction/DragPan.js";
import type Interaction from "ol/interaction/Interaction.js";
import MouseWheelZoom from "ol/interaction/MouseWheelZoom.js";
import PinchZoom from "ol/interaction/PinchZoom.js";
import type MapBrowserEvent from "ol/MapBrowserEvent.js";

/** The gesture that would have moved the map. */
export type Hint = "fingers" | "wheel";

const MOVE_MS = 190;

/** How long a move of the map takes that no finger follows. */
export function moveMs(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : MOVE_MS;
}

export function createInteractions(onHint: (hint: Hint) => void): Interaction[] {
  const pan: DragPan = new DragPan({
    condition: (event: MapBrowserEvent) => {
      const { pointerType, button } = event.originalEvent as PointerEvent;
      if (pointerType !== "touch") return button === 0;
      return pan.getPointerCount() === 2;
    },
  });
  const duration = moveMs();
  const wheel = new MouseWheelZoom({
    duration,
    // A pinch on a touchpad comes with Ctrl.
    condition: ({ type, originalEvent }: MapBrowserEvent) => {
      const isMeant = originalEvent.ctrlKey || originalEvent.metaKey;
      if (!isMeant && type === "wheel") onHint("wheel");
      return isMeant;
    },
  });
  return [new DoubleClickZoom({ duration }), pan, new PinchZoom({ duration }), wheel];
}
