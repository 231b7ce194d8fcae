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
import { createContentLayers } from "./content-layers.ts";
import { extentOf, mapPixelRatio, PROJECTION, pointAt } from "./coordinates.ts";
import type { MapContents } from "./map-contents.ts";
import { createFlights, type MapFlights } from "./map-flights.ts";
import { createInteractions, type Hint, watchOneFinger } from "./map-interactions.ts";
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
}

export interface MapControl extends Omit<MapFlights, "jumpTo"> {
  readonly setContents: (contents: MapContents) => void;
  readonly dispose: () => void;
}

const ZOOMS = { minZoom: 4, maxZoom: 18 };

export function createMapControl(
  target: HTMLElement,
  firstContents: MapContents,
  { onTap, onMove, onHint, onStreets }: MapControlOptions,
): MapControl {
  const content = createContentLayers(firstContents);
  const streets = createStreetLayer(firstContents.palette, (state) => {
    content.setStreets(state.hasStreets);
    onStreets(state);
  });
  const view = createView();
  const map = new OpenLayersMap({
    target,
    view,
    controls: [],
    interactions: createInteractions(onHint),
    layers: [streets.layer, ...content.layers],
    pixelRatio: mapPixelRatio(),
  });
  const { jumpTo, ...flights } = createFlights(view);
  map.on("moveend", () => onMove(seenPartOf(map, view)));
  map.on("singleclick", ({ pixel, coordinate }) =>
    onTap({ point: pointAt(coordinate), finds: content.findsAt(map, pixel) }),
  );
  const stopWatching = watchOneFinger(target, onHint);
  jumpTo(firstContents.model.first);
  void streets.start();
  return {
    ...flights,
    setContents: (contents) => {
      content.setContents(contents);
      streets.setPalette(contents.palette);
    },
    dispose: () => {
      stopWatching();
      streets.dispose();
      map.setTarget(undefined);
      map.dispose();
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
