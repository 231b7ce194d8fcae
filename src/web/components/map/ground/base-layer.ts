/**
 * The ground of every map, with or without tiles: sea, coasts and provinces, and near by the municipalities with their
 * names. Hidden while there are streets, which have a ground of their own.
 */
import Feature from "ol/Feature.js";
import MultiPolygon from "ol/geom/MultiPolygon.js";
import type Layer from "ol/layer/Layer.js";
import VectorLayer from "ol/layer/Vector.js";
import VectorSource from "ol/source/Vector.js";
import type { Box } from "#core/geo/box.ts";
import { overlap } from "#core/geo/box.ts";
import type { Point } from "#core/geo/polyline.ts";
import type { Palette } from "#core/map/palette.ts";
import type { Zone } from "#core/zones/city-shapes.ts";
import { type Land, loadLand } from "#core/zones/land.ts";
import { loadTowns } from "#core/zones/towns.ts";
import { coordinateOf } from "../coordinates.ts";
import { placeNameOf } from "../place-names.ts";
import { TOWN_NAMES_UP_TO_RESOLUTION } from "../zone-styles.ts";
import { abroadStyle, provinceNameStyle, provinceStyle, townNameStyle, townStyle } from "./base-styles.ts";

interface BaseLayer {
  readonly layers: readonly Layer[];
  readonly setPalette: (palette: Palette) => void;
  readonly setStreets: (hasStreets: boolean) => void;
  /** Loads what is seen now. What fails is loaded with a later move. */
  readonly load: (seen: { readonly box: Box; readonly resolution: number }) => Promise<void>;
}

/** Farther away municipalities would be a grey web. In map units: 180 m in Madrid. */
const TOWNS_UP_TO_RESOLUTION = 240;

export function createBaseLayer(firstPalette: Palette): BaseLayer {
  const sources = { abroad: new VectorSource(), provinces: new VectorSource(), towns: new VectorSource() };
  const styled = stylesOf(firstPalette);
  const { layers, restyle } = createLayers(sources, styled);
  let land: Land | undefined;
  const withTowns = new Set<string>();
  const loadGround = async () => {
    if (land) return land;
    const loaded = await loadLand();
    if (!land) fillGround(sources, loaded);
    land = loaded;
    return loaded;
  };
  const loadTownsOf = async (provinceId: string) => {
    if (withTowns.has(provinceId)) return;
    withTowns.add(provinceId);
    try {
      sources.towns.addFeatures(townFeatures(await loadTowns(provinceId)));
    } catch (error) {
      withTowns.delete(provinceId);
      throw error;
    }
  };
  return {
    layers,
    setPalette: (palette) => restyle(stylesOf(palette)),
    setStreets: (hasStreets) => {
      for (const layer of layers) layer.setVisible(!hasStreets);
    },
    load: async ({ box, resolution }) => {
      const { provinces } = await loadGround();
      if (resolution > TOWNS_UP_TO_RESOLUTION) return;
      const seen = provinces.filter((province) => overlap(province.box, box));
      await Promise.all(seen.map(({ id }) => loadTownsOf(id)));
    },
  };
}

type Sources = Readonly<Record<"abroad" | "provinces" | "towns", VectorSource>>;
type Styles = ReturnType<typeof stylesOf>;

function stylesOf(palette: Palette) {
  return {
    abroad: abroadStyle(palette),
    provinces: provinceStyle(palette),
    towns: townStyle(palette),
    provinceNames: provinceNameStyle(palette),
    townNames: townNameStyle(palette),
  };
}

function createLayers({ abroad, provinces, towns }: Sources, first: Styles) {
  const ground = new VectorLayer({ source: abroad, zIndex: 0 });
  const own = new VectorLayer({ source: provinces, zIndex: 0.1 });
  const borders = new VectorLayer({ source: towns, zIndex: 0.2, maxResolution: TOWNS_UP_TO_RESOLUTION });
  // Named last: every other label, and every find, takes its space first.
  const townNames = new VectorLayer({
    source: towns,
    declutter: true,
    zIndex: 4.2,
    maxResolution: TOWN_NAMES_UP_TO_RESOLUTION,
  });
  const provinceNames = new VectorLayer({
    source: provinces,
    declutter: true,
    zIndex: 4.1,
    minResolution: TOWN_NAMES_UP_TO_RESOLUTION,
  });
  const restyle = (styles: Styles) => {
    ground.setStyle(styles.abroad);
    own.setStyle(styles.provinces);
    borders.setStyle(styles.towns);
    townNames.setStyle(styles.townNames);
    provinceNames.setStyle(styles.provinceNames);
  };
  restyle(first);
  return { layers: [ground, own, borders, townNames, provinceNames], restyle };
}

function fillGround({ abroad, provinces }: Sources, land: Land): void {
  abroad.addFeatures(land.abroad.map((ring) => new Feature(polygonsOf([ring]))));
  provinces.addFeatures(
    land.provinces.map(({ id, name, rings }) => featureOf(rings, { name: placeNameOf(id) || name })),
  );
}

function townFeatures(zones: readonly Zone[]): Feature[] {
  return zones.map(({ ring, town }) => featureOf([ring], { name: town?.part === 0 ? town.name : "" }));
}

function featureOf(rings: readonly (readonly Point[])[], facts: object): Feature {
  const feature = new Feature(polygonsOf(rings));
  feature.setProperties(facts, true);
  return feature;
}

function polygonsOf(rings: readonly (readonly Point[])[]): MultiPolygon {
  return new MultiPolygon(
    rings.map((ring) => {
      const coordinates = ring.map(coordinateOf);
      return [[...coordinates, ...coordinates.slice(0, 1)]];
    }),
  );
}
