/**
 * Regenerates the base map in src/core/zones/spain from two npm packages, which are unpacked by hand and not installed:
 *
 *   npm pack es-atlas@0.6.0 world-atlas@2.0.2
 *   node scripts/zones/draw-spain.ts <es-atlas/package> <world-atlas/package>
 *
 * es-atlas has the boundaries of the National Geographic Institute (CC BY 4.0), world-atlas those of the neighbouring
 * countries (Natural Earth, public domain).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodePolyline } from "#core/geo/polyline.ts";
import { type AreaLines, areasOf, ringsNamed, type Topology } from "./area-lines.ts";
import { type Spot, thin } from "./zone-borders.ts";

const [spainPath, worldPath] = process.argv.slice(2);
if (!spainPath || !worldPath)
  throw new Error("Which folders? node scripts/zones/draw-spain.ts <es-atlas> <world-atlas>");
const spain: Topology = JSON.parse(readFileSync(join(spainPath, "es/municipalities.json"), "utf8"));
const world: Topology = JSON.parse(readFileSync(join(worldPath, "countries-10m.json"), "utf8"));
const SOURCE = "Boundaries of municipalities: CC BY 4.0 ign.es, by es-atlas";
const FOLDER = new URL("../../src/core/zones/spain/", import.meta.url);

/** Provinces by autonomous community, by the numbers of the National Statistics Institute. */
const COMMUNITIES: Readonly<Record<string, readonly string[]>> = {
  andalucia: ["04", "11", "14", "18", "21", "23", "29", "41"],
  aragon: ["22", "44", "50"],
  asturias: ["33"],
  baleares: ["07"],
  canarias: ["35", "38"],
  cantabria: ["39"],
  "castilla-la-mancha": ["02", "13", "16", "19", "45"],
  "castilla-y-leon": ["05", "09", "24", "34", "37", "40", "42", "47", "49"],
  catalunya: ["08", "17", "25", "43"],
  "ceuta-y-melilla": ["51", "52"],
  extremadura: ["06", "10"],
  galicia: ["15", "27", "32", "36"],
  "la-rioja": ["26"],
  madrid: ["28"],
  murcia: ["30"],
  navarra: ["31"],
  "pais-vasco": ["01", "20", "48"],
  valencia: ["03", "12", "46"],
};
/** Parts of about 0.4 km²: smaller ones are not visible on a phone. */
const LEAST_PART_CELLS = 12;
const COUNTRIES = ["Portugal", "France", "Andorra", "Morocco", "Algeria", "Gibraltar"];
const AROUND = { west: -14, south: 32, east: 6, north: 46 };
const COUNTRY_THIN_DEGREES = 0.012;

for (const [community, provinces] of Object.entries(COMMUNITIES)) {
  write(
    community,
    areasOf(spain, {
      object: "municipalities",
      leastCells: LEAST_PART_CELLS,
      isWanted: ({ id }) => provinces.includes(id.slice(0, 2)),
    }),
  );
}
write(
  "provinces",
  areasOf(spain, {
    object: "provinces",
    leastCells: LEAST_PART_CELLS,
    isWanted: ({ id }) => Number(id) <= 52,
  }),
);
writeCountries();

function write(name: string, { lines, areas }: AreaLines): void {
  const rows = areas.map((area) => [area.id, area.name, ...area.rings].join("\t"));
  writeFileSync(
    new URL(`${name}.ts`, FOLDER),
    `// Made by scripts/zones/draw-spain.ts. ${SOURCE}
import type { AreaNet } from "../area-net.ts";

export const ${name.toUpperCase().replaceAll("-", "_")}_AREAS: AreaNet = {
  lines: ${JSON.stringify(lines)},
  areas: ${JSON.stringify(rows.join("\n"))},
};
`,
  );
}

/** What surrounds Spain is background: one simple ring for each part. */
function writeCountries(): void {
  const rings = ringsNamed(world, { object: "countries", names: COUNTRIES })
    .map((ring) => thin(clip(ring, AROUND), COUNTRY_THIN_DEGREES))
    .filter((ring) => ring.length > 3)
    .map((ring) =>
      encodePolyline(ring.slice(0, -1).map(([longitude, latitude]) => ({ latitude, longitude }))),
    );
  writeFileSync(
    new URL("countries.ts", FOLDER),
    `// Made by scripts/zones/draw-spain.ts. Natural Earth, public domain
export const COUNTRY_RINGS = ${JSON.stringify(rings.join(" "))};
`,
  );
}

/** Sutherland–Hodgman: the part of a ring inside the box, closed. */
function clip(ring: readonly Spot[], { west, south, east, north }: typeof AROUND): Spot[] {
  const sides = [
    { axis: 0, at: west, sign: 1 },
    { axis: 0, at: east, sign: -1 },
    { axis: 1, at: south, sign: 1 },
    { axis: 1, at: north, sign: -1 },
  ] as const;
  const inside = sides.reduce<readonly Spot[]>((spots, { axis, at, sign }) => {
    const isIn = (spot: Spot) => sign * (spot[axis] - at) >= 0;
    return spots.flatMap((to, index) => {
      const from = spots.at(index - 1) ?? to;
      const share = (at - from[axis]) / (to[axis] - from[axis]);
      const crossing: Spot = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
      if (isIn(to)) return isIn(from) ? [to] : [crossing, to];
      return isIn(from) ? [crossing] : [];
    });
  }, ring);
  return [...inside, ...inside.slice(0, 1)];
}
