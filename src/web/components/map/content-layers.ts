/** What Sereno knows, above the streets: zones, searched areas, finds and own places. */
import type Layer from "ol/layer/Layer.js";
import VectorLayer from "ol/layer/Vector.js";
import type OpenLayersMap from "ol/Map.js";
import type { Pixel } from "ol/pixel.js";
import type { StyleFunction } from "ol/style/Style.js";
import type { FindPoint } from "#core/finds/find.ts";
import { lightOf } from "#core/map/map-model.ts";
import { createContentSources } from "./content-sources.ts";
import { CIRCLES_UP_TO_RESOLUTION, circleStyle, clusterStyle, findsOf } from "./find-styles.ts";
import type { LayerState, MapContents } from "./map-contents.ts";
import {
  areaStyle,
  chosenStyle,
  DISTRICTS_FROM_RESOLUTION,
  districtNameStyle,
  placeStyle,
  priceStyle,
  shadowStyle,
  zoneNameStyle,
  zoneStyle,
} from "./zone-styles.ts";

export interface ContentLayers {
  readonly layers: readonly Layer[];
  readonly setContents: (contents: MapContents) => void;
  /** Zones are drawn more quietly over streets. */
  readonly setStreets: (hasStreets: boolean) => void;
  readonly findsAt: (map: OpenLayersMap, pixel: Pixel) => FindPoint[];
}

/** With the size of a window a target of 44 pixels. */
const TOUCH_PIXELS = 16;

export function createContentLayers(firstContents: MapContents): ContentLayers {
  let state: LayerState = { ...firstContents, hasStreets: false };
  const sources = createContentSources();
  const { layers, chosen, finds, prices } = createLayers(sources, (styleOf) => {
    let made = { state, style: styleOf(state) };
    return (feature, resolution) => {
      if (made.state !== state) made = { state, style: styleOf(state) };
      return made.style(feature, resolution);
    };
  });
  // A layer costs time in every frame, even if it draws nothing.
  const showUsed = () => {
    chosen.setVisible(typeof state.chosenId === "string");
    prices.setVisible(state.shades !== undefined);
  };
  const update = (next: LayerState) => {
    state = next;
    sources.fill(next);
    showUsed();
    for (const layer of layers) layer.changed();
  };
  sources.fill(firstContents);
  showUsed();
  return {
    layers,
    setContents: (contents) => update({ ...contents, hasStreets: state.hasStreets }),
    setStreets: (hasStreets) => {
      if (hasStreets !== state.hasStreets) update({ ...state, hasStreets });
    },
    findsAt: (map, pixel) => {
      const cluster = map.forEachFeatureAtPixel(pixel, (feature) => feature, {
        layerFilter: (layer) => layer === finds,
        hitTolerance: TOUCH_PIXELS,
      });
      return cluster ? brightestFirst(findsOf(cluster)) : [];
    },
  };
}

type Styled = (styleOf: (state: LayerState) => StyleFunction) => StyleFunction;

function createLayers(
  { zones, areas, clusters, districts, places }: ReturnType<typeof createContentSources>,
  styled: Styled,
) {
  const chosen = new VectorLayer({ source: zones, style: styled(chosenStyle), zIndex: 3 });
  // Labels keep clear of finds: what is higher takes its space first.
  const finds = new VectorLayer({
    source: clusters,
    style: styled(clusterStyle),
    declutter: true,
    zIndex: 9,
  });
  const prices = new VectorLayer({ source: zones, style: styled(priceStyle), declutter: true, zIndex: 6 });
  const layers = [
    new VectorLayer({
      source: zones,
      style: styled((now) => zoneStyle(now, { isSearched: false })),
      zIndex: 1,
    }),
    new VectorLayer({ source: areas, style: styled(shadowStyle), zIndex: 1.1 }),
    new VectorLayer({
      source: zones,
      style: styled((now) => zoneStyle(now, { isSearched: true })),
      zIndex: 1.2,
    }),
    new VectorLayer({ source: areas, style: styled(areaStyle), zIndex: 2 }),
    chosen,
    // The opacity of the layer: circles that overlap are not brighter.
    new VectorLayer({
      source: clusters,
      style: styled(circleStyle),
      opacity: 0.09,
      maxResolution: CIRCLES_UP_TO_RESOLUTION,
      zIndex: 4,
    }),
    finds,
    // Prices never displace names.
    prices,
    new VectorLayer({
      source: zones,
      style: styled(zoneNameStyle),
      declutter: true,
      maxResolution: DISTRICTS_FROM_RESOLUTION,
      zIndex: 7,
    }),
    new VectorLayer({
      source: districts,
      style: styled(districtNameStyle),
      declutter: true,
      minResolution: DISTRICTS_FROM_RESOLUTION,
      zIndex: 7,
    }),
    new VectorLayer({ source: places, style: styled(placeStyle), declutter: true, zIndex: 8 }),
  ];
  return { layers, chosen, finds, prices };
}

const BRIGHTNESS = { kept: 0, found: 1, gone: 2 };

function brightestFirst(finds: readonly FindPoint[]): FindPoint[] {
  return finds.toSorted((one, other) => BRIGHTNESS[lightOf(one)] - BRIGHTNESS[lightOf(other)]);
}
