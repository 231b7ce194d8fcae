/**
 * The map: OpenLayers with our layers and styles. Knows nothing of React, so that moving the map renders no component.
 * https://openlayers.org/en/v10.10.0/apidoc/
 */
import OpenLayersMap from "ol/Map.js";
import { getPointResolution, transformExtent } from "ol/proj.js";
import View from "ol/View.js";
import type { FindPoint } from "#core/finds/find.ts";
import type { Box } from "#core/geo/box.ts";
import type { Point } from "#core/geo/polyline.ts";
import { SPAIN_BOX } from "#core/map/map-model.ts";
import { loadAgain } from "#web/lib/parts/load-again.ts";
import { createContentLayers } from "./content-layers.ts";
import { extentOf, mapPixelRatio, PROJECTION, pointAt } from "./coordinates.ts";
import { createBaseLayer } from "./ground/base-layer.ts";
import type { MapContents } from "./map-contents.ts";
import { createInteractions, type Hint, moveMs } from "./map-interactions.ts";
import { createStreetLayer, type StreetsState } from "./street-layer.ts";

/** The part of the world that the map shows. */
export interface SeenPart {
  readonly metresPerPixel: number;
  readonly box: Box;
  readonly middle: Point;
}

export interface MapTap {
  readonly point: Point;
  /** The finds drawn there, the brightest first. */
  readonly finds: readonly FindPoint[];
}

export interface MapControlOptions {
  readonly onTap: (tap: MapTap) => void;
  /** After the map has moved. */
  readonly onMove: (seen: SeenPart) => void;
  readonly onHint: (hint: Hint) => void;
  readonly onStreets: (state: StreetsState) => void;
  /** Whether the ground of what is seen could be loaded. */
  readonly onBase: (isLoaded: boolean) => void;
}

export interface MapControl {
  readonly setContents: (contents: MapContents) => void;
  readonly show: (box: Box) => void;
  /** In zoom levels; negative zooms out. */
  readonly zoomBy: (levels: number) => void;
  /** In pixels, to the right and down. */
  readonly panBy: (right: number, down: number) => void;
  /** Where the map is, or where it is moving to. */
  readonly middle: () => Point;
  readonly dispose: () => void;
}

const ZOOMS = { minZoom: 4, maxZoom: 18 };
const MARGIN_PIXELS = 36;
/** On the right are the buttons. */
const BUTTONS_PIXELS = 72;
/** A single home is shown with the streets around it. */
const NEAREST_FIT = 15;

export function createMapControl(
  target: HTMLElement,
  firstContents: MapContents,
  { onTap, onMove, onHint, onStreets, onBase }: MapControlOptions,
): MapControl {
  const content = createContentLayers(firstContents);
  const base = createBaseLayer(firstContents.palette);
  const streets = createStreetLayer(firstContents, (state) => {
    content.setStreets(state.hasStreets);
    base.setStreets(state.hasStreets);
    onStreets(state);
  });
  const view = createView();
  const map = new OpenLayersMap({
    target,
    view,
    controls: [],
    interactions: createInteractions(onHint),
    layers: [streets.layer, ...base.layers, ...content.layers],
    pixelRatio: mapPixelRatio(),
  });
  const ground = createGroundLoader(() => {
    const { box } = seenPartOf(map, view);
    return base.load({ box, resolution: view.getResolution() ?? 1 });
  }, onBase);
  map.on("moveend", () => {
    onMove(seenPartOf(map, view));
    void ground.load();
  });
  map.on("singleclick", ({ pixel, coordinate }) =>
    onTap({ point: pointAt(coordinate), finds: content.findsAt(map, pixel) }),
  );
  // The page scrolls under one finger, and takes the finger away from the map.
  map.getViewport().addEventListener("pointercancel", () => onHint("fingers"));
  const { fitTo, ...moves } = createMoves(view);
  fitTo(firstContents.model.first, 0);
  void streets.start();
  return {
    ...moves,
    setContents: (contents) => {
      content.setContents(contents);
      base.setPalette(contents.palette);
      streets.setContents(contents);
    },
    dispose: () => {
      ground.dispose();
      streets.dispose();
      map.setTarget(undefined);
      map.dispose();
    },
  };
}

/** Loads the ground of what is seen, again after a move and after a failure. One attempt at a time. */
function createGroundLoader(loadSeen: () => Promise<void>, onBase: (isLoaded: boolean) => void) {
  let isDisposed = false;
  let isBusy = false;
  let hasMoved = false;
  const load = async (): Promise<void> => {
    hasMoved = true;
    if (isBusy) return;
    isBusy = true;
    while (hasMoved && !isDisposed) {
      hasMoved = false;
      await loadAgain(
        async () => (isDisposed ? undefined : await loadSeen()),
        () => isDisposed || onBase(false),
      );
      if (!isDisposed) onBase(true);
    }
    isBusy = false;
  };
  return {
    load,
    dispose: () => {
      isDisposed = true;
    },
  };
}

/** Spain, where nobody gets lost. */
function createView(): View {
  return new View({
    ...ZOOMS,
    projection: PROJECTION,
    extent: extentOf(SPAIN_BOX),
    constrainOnlyCenter: true,
    enableRotation: false,
    center: [0, 0],
    zoom: ZOOMS.minZoom,
  });
}

/** Moves of the map by keys, buttons and the list. */
function createMoves(view: View) {
  // A second key press during a move counts from where that move ends.
  let goal: { center: number[]; zoom: number } | undefined;
  const now = () =>
    (view.getAnimating() && goal) || { center: view.getCenter() ?? [0, 0], zoom: view.getZoom() ?? 0 };
  const move = (center: number[], zoom: number) => {
    goal = {
      center: view.getConstrainedCenter(center) ?? center,
      zoom: Math.min(ZOOMS.maxZoom, Math.max(ZOOMS.minZoom, zoom)),
    };
    view.cancelAnimations();
    view.animate({ ...goal, duration: moveMs() });
  };
  const fitTo = (box: Box, durationMs: number) =>
    view.fit(extentOf(box), {
      padding: [MARGIN_PIXELS, BUTTONS_PIXELS, MARGIN_PIXELS, MARGIN_PIXELS],
      duration: durationMs,
      maxZoom: NEAREST_FIT,
    });
  return {
    fitTo,
    show: (box: Box) => fitTo(box, moveMs()),
    zoomBy: (levels: number) => move(now().center, now().zoom + levels),
    panBy: (right: number, down: number) => {
      const { center, zoom } = now();
      const [x = 0, y = 0] = center;
      const resolution = view.getResolutionForZoom(zoom);
      move([x + right * resolution, y - down * resolution], zoom);
    },
    middle: () => pointAt(now().center),
  };
}

function seenPartOf(map: OpenLayersMap, view: View): SeenPart {
  const middle = view.getCenter() ?? [0, 0];
  const seen = transformExtent(view.calculateExtent(map.getSize()), PROJECTION, "EPSG:4326");
  const [west = 0, south = 0, east = 0, north = 0] = seen;
  return {
    metresPerPixel: getPointResolution(PROJECTION, view.getResolution() ?? 1, middle),
    box: { west, south, east, north },
    middle: pointAt(middle),
  };
}
