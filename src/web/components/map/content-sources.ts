import Feature from "ol/Feature.js";
import type Geometry from "ol/geom/Geometry.js";
import MultiLineString from "ol/geom/MultiLineString.js";
import PointGeometry from "ol/geom/Point.js";
import Polygon from "ol/geom/Polygon.js";
import VectorSource from "ol/source/Vector.js";
import type { FindPoint } from "#core/finds/find.ts";
import type { Point } from "#core/geo/polyline.ts";
import { clustersOf } from "#core/map/cluster.ts";
import type { MapModel } from "#core/map/map-model.ts";
import { coordinateOf } from "./coordinates.ts";
import { PRICES_UP_TO_RESOLUTION } from "./find-styles.ts";
import type { MapContents } from "./map-contents.ts";

/** A mark with a count, and a price: as large as they are drawn. */
const COUNT_PIXELS = { width: 40, height: 40 };
const PRICE_PIXELS = { width: 62, height: 27 };

/** The contents of a map as features. */
export function createContentSources() {
  const zones = new VectorSource();
  const districts = new VectorSource();
  const areas = new VectorSource();
  const places = new VectorSource();
  const { clusters, setFinds } = createClusterSource();
  let former: MapContents | undefined;
  const fillModel = (model: MapModel) => {
    setFinds(model.finds);
    replace(
      zones,
      model.zones.map((zone) => featureOf(polygonOf(zone.ring), { zone })),
    );
    replace(districts, districtsOf(model.zones));
    replace(areas, [
      ...model.drawn.map((ring) => featureOf(polygonOf(ring), { isDrawn: true })),
      new Feature(new MultiLineString(model.outline.map((line) => line.map(coordinateOf)))),
    ]);
  };
  const fill = (contents: MapContents) => {
    if (contents.model !== former?.model) fillModel(contents.model);
    if (contents.places !== former?.places) {
      replace(
        places,
        contents.places.map(({ name, point }) => featureOf(new PointGeometry(coordinateOf(point)), { name })),
      );
    }
    former = contents;
  };
  return { zones, districts, areas, places, clusters, fill };
}

/** Clusters for the resolution at hand. Features of OpenLayers for 5,000 single finds take a phone a second. */
function createClusterSource() {
  const clusters = new VectorSource();
  let spots: readonly { x: number; y: number; find: FindPoint }[] = [];
  let clustered: number | undefined;
  clusters.loadFeatures = (_extent, resolution) => {
    if (resolution === clustered) return;
    clustered = resolution;
    const { width, height } = resolution <= PRICES_UP_TO_RESOLUTION ? PRICE_PIXELS : COUNT_PIXELS;
    const wide = width / height;
    const squeezed = spots.map(({ x, y, find }) => ({ x: x / wide, y, find }));
    replace(
      clusters,
      clustersOf(squeezed, height * resolution).map((cluster) =>
        featureOf(new PointGeometry([cluster.x * wide, cluster.y]), {
          finds: cluster.spots.map(({ find }) => find),
        }),
      ),
    );
  };
  const setFinds = (finds: MapModel["finds"]) => {
    spots = finds.map(({ find, point }) => {
      const [x = 0, y = 0] = coordinateOf(point);
      return { x, y, find };
    });
    clustered = undefined;
    clusters.changed();
  };
  return { clusters, setFinds };
}

function replace(source: VectorSource, features: Feature[]): void {
  source.clear(true);
  source.addFeatures(features);
}

function featureOf(geometry: Geometry, facts: object): Feature {
  const feature = new Feature(geometry);
  feature.setProperties(facts, true);
  return feature;
}

function polygonOf(ring: readonly Point[]): Polygon {
  const coordinates = ring.map(coordinateOf);
  return new Polygon([[...coordinates, ...coordinates.slice(0, 1)]]);
}

/** Named where zones are too small for names. */
function districtsOf(zones: MapModel["zones"]): Feature[] {
  const quarters = zones.filter(({ town }) => !town);
  const districts = Map.groupBy(quarters, ({ placeId }) => placeId.slice(0, placeId.lastIndexOf("-")));
  return [...districts].map(([placeId, members]) => {
    const points = members.flatMap(({ ring }) => ring);
    const middle = {
      latitude: points.reduce((sum, { latitude }) => sum + latitude, 0) / points.length,
      longitude: points.reduce((sum, { longitude }) => sum + longitude, 0) / points.length,
    };
    return featureOf(new PointGeometry(coordinateOf(middle)), { placeId });
  });
}
