import { House, Minus, Plus } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { type Pixel, scaleBarOf } from "#core/map/view.ts";
import { formatUnit } from "#text/labels.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import type { Scene } from "./draw-map.ts";
import { createMapControl, type MapControl, type SceneContents } from "./map-control.ts";
import { ZonesSource } from "./zones-source.tsx";

interface MapFrameProps {
  contents: SceneContents;
  /** What a screen reader calls it. */
  label: string;
  controlRef: RefObject<MapControl | null>;
  className?: string;
  onTap(at: Pixel, scene: Scene): void;
  /** True where the key was meant for something of the caller's. */
  onKey?(key: string): boolean;
  children?: ReactNode;
}

const STEP_PIXELS = 70;
const ZOOM_STEP = 1.6;
const HINT_MS = 1_600;
const SCALE_PIXELS = 110;

/** A map with its hands, keys, buttons, scale and source. */
export function MapFrame({ contents, label, controlRef, className, onTap, onKey, children }: MapFrameProps) {
  const t = useTexts("map");
  const keysId = useId();
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const [metresPerPixel, setMetresPerPixel] = useState(0);
  const [hint, setHint] = useState<"fingers" | "wheel" | null>(null);
  const tap = useEffectEvent(onTap);
  const firstContents = useRef(contents);

  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const control = createMapControl(canvas, firstContents.current, {
      onTap: (at, scene) => tap(at, scene),
      onView: (view) => setMetresPerPixel(view.metresPerPixel),
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

  return (
    <div className="grid gap-1.5">
      <div className={cn("relative overflow-hidden rounded-2xl", className)}>
        <div
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved by keys
          tabIndex={0}
          aria-label={label}
          aria-describedby={keysId}
          className="size-full rounded-2xl -outline-offset-4 outline-white!"
          onKeyDown={(event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            if (onKey?.(event.key) || moveByKey(event.key, controlRef.current)) event.preventDefault();
          }}
        >
          <canvas
            ref={canvasRef}
            aria-hidden
            className="block size-full cursor-grab touch-pan-x touch-pan-y active:cursor-grabbing"
          />
        </div>
        <p id={keysId} className="sr-only">
          {t("keys")}
        </p>
        <div className="night absolute top-3 right-3 grid gap-1.5">
          <MapButton label={t("zoomIn")} onPress={() => controlRef.current?.zoomBy(ZOOM_STEP)}>
            <Plus aria-hidden className="size-5" />
          </MapButton>
          <MapButton label={t("zoomOut")} onPress={() => controlRef.current?.zoomBy(1 / ZOOM_STEP)}>
            <Minus aria-hidden className="size-5" />
          </MapButton>
          <MapButton label={t("showAll")} onPress={() => controlRef.current?.showFirst()}>
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
      {contents.model.zones.length > 0 && <ZonesSource />}
    </div>
  );
}

function moveByKey(key: string, control: MapControl | null): boolean {
  const pans: Record<string, Pixel> = {
    ArrowLeft: { left: STEP_PIXELS, top: 0 },
    ArrowRight: { left: -STEP_PIXELS, top: 0 },
    ArrowUp: { left: 0, top: STEP_PIXELS },
    ArrowDown: { left: 0, top: -STEP_PIXELS },
  };
  const by = pans[key];
  if (by) control?.panBy(by);
  else if (key === "+" || key === "=") control?.zoomBy(ZOOM_STEP);
  else if (key === "-") control?.zoomBy(1 / ZOOM_STEP);
  else if (key === "0" || key === "Home") control?.showFirst();
  else return false;
  return true;
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

function ScaleBar({ metresPerPixel }: { metresPerPixel: number }) {
  const language = useLanguage();
  const { metres, pixels } = scaleBarOf(metresPerPixel, SCALE_PIXELS);
  const [value, unit] =
    metres >= 1_000 ? ([metres / 1_000, "kilometer"] as const) : ([metres, "meter"] as const);
  return (
    <p className="night figures pointer-events-none absolute bottom-3 left-3 rounded bg-night/65 px-1.5 pt-0.5 pb-1.5 text-[0.6875rem] leading-tight font-semibold">
      {formatUnit(value, unit, language)}
      <span
        aria-hidden
        className="mt-1 block border-x border-b border-ink"
        style={{ width: pixels, height: 5 }}
      />
    </p>
  );
}
