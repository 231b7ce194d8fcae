/**
 * Regenerates the zone shapes in src/core/zones: node scripts/zones/draw-zones.ts <zones.geojson>. The file is a
 * FeatureCollection of zones with `locationId` and `city`, one ring each; it is not copied.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { METRES_PER_DEGREE, radians } from "#core/geo/box.ts";
import { encodePolyline } from "#core/geo/polyline.ts";
import { borderNetOf, type Spot } from "./zone-borders.ts";

interface Feature {
  readonly properties: { readonly locationId: string; readonly city: string };
  readonly geometry: { readonly coordinates: readonly (readonly (readonly Spot[])[])[] };
}

// Borders of neighbours in the source are up to 10 m apart, rarely 20. Simplifying by 4 m is invisible on a screen.
const WELD_M = 12;
const BEND_M = 20;
const THIN_M = 4;
const CITIES = { Madrid: "madrid", Barcelona: "barcelona", Valencia: "valencia" };

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("Which file? node scripts/zones/draw-zones.ts <zones.geojson>");
const source: { attribution: string; features: Feature[] } = JSON.parse(readFileSync(path, "utf8"));
for (const [city, name] of Object.entries(CITIES)) {
  const features = source.features.filter(({ properties }) => properties.city === city);
  const target = new URL(`../../src/core/zones/${name}.ts`, import.meta.url);
  writeFileSync(target, moduleOf(name, features, source.attribution));
}

function moduleOf(name: string, features: readonly Feature[], attribution: string): string {
  const ids = features.map(({ properties }) => properties.locationId);
  const cityId = ids[0]?.split("-").slice(0, 7).join("-") ?? "";
  const { borders, zones } = shapesOf(features);
  const lines = ids
    .map((id, index) => ({ suffix: id.slice(cityId.length + 1), parts: zones[index] ?? [] }))
    .sort((one, other) => one.suffix.localeCompare(other.suffix))
    .map(({ suffix, parts }) => `    "${suffix}": [${parts.join(", ")}],\n`);
  return `// Made by scripts/zones/draw-zones.ts. ${attribution}
import type { CityShapes } from "./city-shapes.ts";

export const ${name.toUpperCase()}: CityShapes = {
  cityId: "${cityId}",
  borders: ${JSON.stringify(borders.join(" "))},
  zones: {
${lines.join("")}  },
};
`;
}

function shapesOf(features: readonly Feature[]) {
  const rings = features.map(({ properties, geometry }) => {
    const [ring, ...others] = geometry.coordinates.flat();
    if (!ring || others.length > 0) throw new Error(`${properties.locationId} is not one ring`);
    return ring.slice(0, -1);
  });
  const latitude = rings.flat()[0]?.[1] ?? 0;
  const scale = { x: METRES_PER_DEGREE * Math.cos(radians(latitude)), y: METRES_PER_DEGREE };
  const plane = rings.map((ring) => ring.map(([x, y]): Spot => [x * scale.x, y * scale.y]));
  const net = borderNetOf(plane, { weldM: WELD_M, bendM: BEND_M, thinM: THIN_M });
  return {
    borders: net.borders.map((border) =>
      encodePolyline(border.map(([x, y]) => ({ latitude: y / scale.y, longitude: x / scale.x }))),
    ),
    zones: net.rings,
  };
}
