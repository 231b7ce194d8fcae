import Feature from "ol/Feature.js";
import type Geometry from "ol/geom/Geometry.js";
import MultiLineString from "ol/geom/MultiLineString.js";
import PointGeometry from "ol/geom/Point.js";
import Polygon from "ol/geom/Polygon.js";
import Cluster from "ol/source/Cluster.js";
import VectorSource from "ol/source/Vector.js";
import type { Point } from "#core/geo/polyline.ts";
import type { MapModel } from "#core/map/map-model.ts";
import { coordinateOf } from "./coordinates.ts";
import type { MapContents } from "./map-contents.ts";
import { placeNameOf } from "./place-names.ts";

const CLUSTER_PIXELS = 26;

export interface ContentSources {
  readonly zones: VectorSource;
  readonly names: VectorSource;
  readonly areas: VectorSource;
  readonly places: VectorSource;
  readonly clusters: Cluster<Feature>;
  readonly fill: (contents: MapContents) => void;
}

/** The contents of a map as features. */
export function createContentSources(): ContentSources {
  const [zones, names, areas, places] = [0, 1, 2, 3].map(() => new VectorSource()) as [
    VectorSource,
    VectorSource,
    VectorSource,
    VectorSource,
  ];
  const finds = new VectorSource<Feature<PointGeometry>>();
  const clusters = new Cluster({ source: finds, distance: CLUSTER_PIXELS, minDistance: CLUSTER_PIXELS / 2 });
  let former: MapContents | undefined;
  const fillModel = (model: MapModel) => {
    const zoneFeatures = model.zones.map((zone) => new Feature({ geometry: polygonOf(zone.ring), zone }));
    replace(zones, zoneFeatures);
    replace(names, nameFeaturesOf(model.zones));
    replace(areas, [
      ...model.drawn.map((ring) => new Feature({ geometry: polygonOf(ring), isDrawn: true })),
      new Feature(new MultiLineString(model.outline.map((line) => line.map(coordinateOf)))),
    ]);
    replace(
      finds,
      model.finds.map(({ find, point }) => featureAt(point, { find })),
    );
  };
  const fill = (contents: MapContents) => {
    if (contents.model !== former?.model) fillModel(contents.model);
    if (contents.places !== former?.places) {
      replace(
        places,
        contents.places.map(({ name, point }) => featureAt(point, { name })),
      );
    }
    former = contents;
  };
  return { zones, names, areas, places, clusters, fill };
}

function replace<T extends Feature<Geometry>>(source: VectorSource<T>, features: T[]): void {
  source.clear(true);
  source.addFeatures(features);
}

function featureAt(point: Point, facts: object): Feature<PointGeometry> {
  return new Feature({ geometry: new PointGeometry(coordinateOf(point)), ...facts });
}

function polygonOf(ring: readonly Point[]): Polygon {
  const coordinates = ring.map(coordinateOf);
  return new Polygon([[...coordinates, ...coordinates.slice(0, 1)]]);
}

/** Zones, and the districts that are named where zones are too small. */
function nameFeaturesOf(zones: MapModel["zones"]): Feature[] {
  const districts = Map.groupBy(zones, ({ placeId }) => placeId.slice(0, placeId.lastIndexOf("-")));
  return [
    ...zones.map(
      ({ placeId, ring }) =>
        new Feature({ geometry: polygonOf(ring), name: placeNameOf(placeId), level: "zone" }),
    ),
    ...[...districts].map(([districtId, members]) => {
      const points = members.flatMap(({ ring }) => ring);
      const middle = {
        latitude: points.reduce((sum, { latitude }) => sum + latitude, 0) / points.length,
        longitude: points.reduce((sum, { longitude }) => sum + longitude, 0) / points.length,
      };
      return featureAt(middle, { name: placeNameOf(districtId), level: "district" });
    }),
  ];
}
