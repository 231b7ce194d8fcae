import type { FeatureLike } from "ol/Feature.js";
import type Style from "ol/style/Style.js";
import { expect, test } from "vitest";
import { NIGHT } from "#core/map/palette.ts";
import { streetStyle } from "./street-styles.ts";

// Layers, classes and subclasses as in the YAML files of https://github.com/openmaptiles/openmaptiles (3.15).
const ROADS = [
  "motorway",
  "trunk",
  "primary",
  "secondary",
  "tertiary",
  "minor",
  "service",
  "busway",
  "track",
  "path",
];
const STATIONS = ["station", "halt", "tram_stop", "subway"];
const DRAWN = [
  ...[...ROADS, "rail", "transit"].map((kind) => ({ layer: "transportation", class: kind })),
  ...STATIONS.map((subclass) => ({ layer: "poi", class: "railway", subclass, name: "Sol" })),
  ...["village", "borough", "suburb", "quarter", "neighbourhood", "hamlet"].map((kind) => ({
    layer: "place",
    class: kind,
    name: "Lavapiés",
    rank: 12,
  })),
  ...["wood", "grass", "wetland"].map((kind) => ({ layer: "landcover", class: kind })),
  ...["river", "lake", "ocean"].map((kind) => ({ layer: "water", class: kind })),
  { layer: "waterway", class: "river" },
  { layer: "park", class: "nature_reserve" },
  { layer: "building" },
  { layer: "transportation_name", class: "minor", name: "Calle Mayor" },
];
const NOT_DRAWN = [
  { layer: "transportation", class: "motorway_construction" },
  { layer: "transportation", class: "ferry" },
  { layer: "transportation_name", class: "motorway", subclass: "junction", name: "Salida 4" },
  { layer: "transportation_name", class: "motorway", ref: "M-30" },
  { layer: "waterway", class: "stream", brunnel: "tunnel" },
  { layer: "landcover", class: "farmland" },
  { layer: "poi", class: "shop", subclass: "kiosk", name: "Kiosco" },
  { layer: "poi", class: "aerialway", subclass: "station", name: "Teleférico" },
  { layer: "place", class: "city", name: "Madrid", rank: 1 },
  { layer: "landuse", class: "residential" },
];
const STREET_RESOLUTION = 1.5;

const styleOf = (facts: Record<string, unknown>, isInZone = false): Style | undefined =>
  streetStyle(NIGHT, () => isInZone)(
    { get: (key: string) => facts[key] } as FeatureLike,
    STREET_RESOLUTION,
  ) as Style | undefined;

test("MAP-02 near the streets the map draws the classes of the OpenMapTiles schema that matter to a home hunter", () => {
  for (const facts of DRAWN) expect([facts, styleOf(facts) !== undefined]).toEqual([facts, true]);
  for (const facts of NOT_DRAWN) expect([facts, styleOf(facts)]).toEqual([facts, undefined]);
  expect(
    styleOf({ layer: "poi", class: "railway", subclass: "subway", name: "Sol" })?.getText()?.getText(),
  ).toBe("Sol");
});

test("MAP-02 a quarter in our zones has one name: ours, not that of the tiles", () => {
  const quarter = { layer: "place", class: "quarter", name: "Lavapiés" };
  expect([styleOf(quarter) !== undefined, styleOf(quarter, true)]).toEqual([true, undefined]);
  const station = { layer: "poi", class: "railway", subclass: "subway", name: "Sol" };
  expect(styleOf(station, true)).toBeDefined();
});
