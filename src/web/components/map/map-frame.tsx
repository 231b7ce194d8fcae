import { House, Minus, Plus } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import type { MapContents } from "./map-contents.ts";
import { createMapControl, type MapControl, type MapTap, type SeenPart } from "./map-control.ts";
import { MapSource, TilesSource } from "./map-sources.tsx";
import { ScaleBar } from "./scale-bar.tsx";
import type { StreetsState } from "./street-layer.ts";

interface MapFrameProps {
  contents: MapContents;
  /** What a screen reader calls it. */
  label: string;
  controlRef: RefObject<MapControl | null>;
  className?: string;
  onTap(tap: MapTap): void;
  onMove?(seen: SeenPart): void;
  onShowAll(): void;
  /** True where the key was meant for something of the caller's. */
  onKey?(key: string): boolean;
  onStreets?(state: StreetsState): void;
  children?: ReactNode;
}

const STEP_PIXELS = 70;
const ZOOM_STEP = 0.7;
const HINT_MS = 1_600;

/** A map with its keys, buttons, scale and sources. */
export function MapFrame({ contents, label, controlRef, className, children, ...events }: MapFrameProps) {
  const t = useTexts("map");
  const keysId = useId();
  const targetRef = useRef<HTMLDivElement>(null);
  const [metresPerPixel, setMetresPerPixel] = useState(0);
  const [hint, setHint] = useState<"fingers" | "wheel" | null>(null);
  const [streets, setStreets] = useState<StreetsState | null>(null);
  const [isBaseLoaded, setBaseLoaded] = useState(true);
  const firstContents = useRef(contents);
  const tap = useEffectEvent(events.onTap);
  const move = useEffectEvent((seen: SeenPart) => {
    setMetresPerPixel(seen.metresPerPixel);
    events.onMove?.(seen);
  });
  const changeStreets = useEffectEvent((state: StreetsState) => {
    setStreets(state);
    events.onStreets?.(state);
  });

  useEffect(() => {
    const target = targetRef.current;
    if (!target) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const control = createMapControl(target, firstContents.current, {
      onTap: (at) => tap(at),
      onMove: (seen) => move(seen),
      onStreets: (state) => changeStreets(state),
      onBase: setBaseLoaded,
      onHint: (kind) => {
        setHint(kind);
        clearTimeout(timer);
        timer = setTimeout(() => setHint(null), HINT_MS);
      },
    });
    controlRef.current = control;
    return () => {
      clearTimeout(timer);
      controlRef.current = null;
      control.dispose();
    };
  }, [controlRef]);
  useEffect(() => controlRef.current?.setContents(contents), [controlRef, contents]);

  const moveByKey = (key: string): boolean => {
    const act = {
      ArrowLeft: () => controlRef.current?.panBy(-STEP_PIXELS, 0),
      ArrowRight: () => controlRef.current?.panBy(STEP_PIXELS, 0),
      ArrowUp: () => controlRef.current?.panBy(0, -STEP_PIXELS),
      ArrowDown: () => controlRef.current?.panBy(0, STEP_PIXELS),
      "+": () => controlRef.current?.zoomBy(ZOOM_STEP),
      "=": () => controlRef.current?.zoomBy(ZOOM_STEP),
      "-": () => controlRef.current?.zoomBy(-ZOOM_STEP),
      "0": events.onShowAll,
      Home: events.onShowAll,
    }[key];
    act?.();
    return act !== undefined;
  };

  return (
    <div className="grid gap-1.5">
      <div className={cn("relative overflow-hidden rounded-2xl", className)}>
        <div
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved by keys
          tabIndex={0}
          aria-label={label}
          aria-describedby={keysId}
          className="size-full rounded-2xl -outline-offset-4 outline-white"
          onKeyDown={(event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            if (events.onKey?.(event.key) || moveByKey(event.key)) event.preventDefault();
          }}
        >
          <div
            ref={targetRef}
            aria-hidden
            data-map
            className="size-full cursor-grab touch-pan-x touch-pan-y active:cursor-grabbing"
            style={{ background: contents.palette.sea }}
          />
        </div>
        <p id={keysId} className="sr-only">
          {t("keys")}
        </p>
        <div className="night absolute top-3 right-3 grid gap-1.5">
          <MapButton label={t("zoomIn")} onPress={() => controlRef.current?.zoomBy(ZOOM_STEP)}>
            <Plus aria-hidden className="size-5" />
          </MapButton>
          <MapButton label={t("zoomOut")} onPress={() => controlRef.current?.zoomBy(-ZOOM_STEP)}>
            <Minus aria-hidden className="size-5" />
          </MapButton>
          <MapButton label={t("showAll")} onPress={events.onShowAll}>
            <House aria-hidden className="size-5" />
          </MapButton>
        </div>
        {children}
        {metresPerPixel > 0 && <ScaleBar metresPerPixel={metresPerPixel} />}
        <p
          aria-hidden
          className={cn(
            "night pointer-events-none absolute inset-x-6 top-1/2 mx-auto w-fit max-w-xs -translate-y-1/2 rounded-xl bg-night/85 px-4 py-2.5 text-center text-sm font-semibold transition-opacity duration-150",
            hint === null ? "opacity-0" : "opacity-100",
          )}
        >
          {hint !== null && t(`hints.${hint}`)}
        </p>
      </div>
      <div className="flex flex-wrap justify-between gap-x-4">
        <p role="status" className="text-sm text-muted empty:hidden">
          {streets?.isFailing && t("streetsFailing")}
          {!isBaseLoaded && !streets?.hasStreets && t("baseFailing")}
        </p>
        <p className="ms-auto flex flex-wrap justify-end gap-x-3 text-right text-xs text-muted">
          {streets?.hasStreets && streets.attribution !== null && <TilesSource words={streets.attribution} />}
          <MapSource zones={contents.model.zones} hasStreets={streets?.hasStreets === true} />
        </p>
      </div>
    </div>
  );
}

function MapButton({ label, onPress, children }: { label: string; onPress(): void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      className="grid size-11 cursor-pointer place-items-center rounded-xl border border-ink/15 bg-night/75 text-ink backdrop-blur-sm hover:bg-night"
    >
      {children}
    </button>
  );
}
