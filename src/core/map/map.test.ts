import { expect, test } from "vitest";
import type { FindPoint } from "../finds/find.ts";
import { isInBox } from "../geo/box.ts";
import { encodePolyline } from "../geo/polyline.ts";
import { searchFor } from "../search/search.ts";
import { zonesOf } from "../zones/city-shapes.ts";
import { loadLand } from "../zones/land.ts";
import { loadZones } from "../zones/load-shapes.ts";
import { MADRID } from "../zones/madrid.ts";
import { mapModelOf, SPAIN_BOX } from "./map-model.ts";
import { searchedAreaOf } from "./searched-area.ts";
import { placeGroupsOf, sheetsOf } from "./sheets.ts";

const TRAFALGAR = "0-EU-ES-28-07-001-079-07-003";
const CHAMBERI = "0-EU-ES-28-07-001-079-07";
const zones = zonesOf(MADRID);
const OLAVIDE = { latitude: 40.4331, longitude: -3.7011 };
const ALICANTE = { latitude: 38.3452, longitude: -0.481 };

function find(id: string, facts: Partial<FindPoint> = {}): FindPoint {
  return {
    listingId: id,
    latitude: null,
    longitude: null,
    isAddressShown: true,
    placeId: null,
    priceEur: 1_000,
    mark: null,
    isGone: false,
    ...facts,
  };
}

test("MAP-01 finds are grouped by province, the one with the most finds first; no find is left out", async () => {
  const sheets = sheetsOf(await loadLand(), {
    points: [
      find("1", { placeId: "0-EU-ES-03-14", ...ALICANTE }),
      find("2", { latitude: 38.35, longitude: -0.49 }),
      find("3", OLAVIDE),
      find("4", { placeId: TRAFALGAR }),
      find("5", { placeId: CHAMBERI }),
      find("6"),
    ],
    areas: [{ placeId: "0-EU-ES-08-13-001-019", rings: [] }],
  });
  expect(
    sheets.map(({ provinceId, points }) => [provinceId, points.map(({ listingId }) => listingId).join("")]),
  ).toEqual([
    ["0-EU-ES-28", "345"],
    ["0-EU-ES-03", "12"],
    [null, "6"],
    ["0-EU-ES-08", ""],
  ]);
});

test("FIND-02 the place of a search has one outline, and is in the initial view", () => {
  const area = searchedAreaOf(searchFor("rent", "homes", { type: "place", placeId: CHAMBERI }));
  const model = mapModelOf({ points: [find("1", OLAVIDE)], areas: area ? [area] : [], zones });
  expect(model.zones.filter(({ isSearched }) => isSearched)).toHaveLength(6);
  const inside = model.zones.find(({ placeId }) => placeId === TRAFALGAR)?.ring ?? [];
  const corners = new Set(model.outline.flat());
  expect(inside.some((point) => !corners.has(point))).toBe(true);
  expect(model.first.east - model.first.west).toBeLessThan(0.06);
});

test("MAP-01 a find anywhere in Spain is on the map and in the initial view, without zones too", () => {
  for (const point of [ALICANTE, { latitude: 28.4636, longitude: -16.2518 }]) {
    const { finds, first } = mapModelOf({ points: [find("1", point)], areas: [], zones: [] });
    expect(finds).toEqual([{ find: find("1", point), point }]);
    expect([isInBox(first, point), isInBox(SPAIN_BOX, point)]).toEqual([true, true]);
    expect(first.north - first.south).toBeLessThan(0.1);
  }
});

test("FIND-02 a drawn area is outlined by its points", () => {
  const ring = [
    ALICANTE,
    { latitude: 38.36, longitude: -0.481 },
    { latitude: 38.36, longitude: -0.46 },
    ALICANTE,
  ];
  const area = searchedAreaOf(searchFor("rent", "homes", { type: "drawn", rings: [encodePolyline(ring)] }));
  const model = mapModelOf({ points: [], areas: area ? [area] : [], zones: [] });
  expect(model.drawn[0]?.[1]?.latitude).toBeCloseTo(38.36, 6);
  expect(ring.every((point) => isInBox(model.first, point))).toBe(true);
  expect(searchedAreaOf(searchFor("rent", "homes", { type: "zones", codes: ["a"] }))).toBeUndefined();
});

test("FIND-02 a find without coordinates lights its zone; one with only a town lights none", () => {
  const points = [find("1", { placeId: TRAFALGAR }), find("2", { placeId: "0-EU-ES-28-07-001-079" })];
  const model = mapModelOf({ points, areas: [], zones });
  const lit = model.zones.filter(({ isLit }) => isLit);
  expect(lit.map(({ placeId }) => placeId)).toEqual([TRAFALGAR]);
  expect(model.finds).toEqual([]);
});

test("FIND-02 the list has every find once, under its stated zone, otherwise under the zone of its coordinates", () => {
  const points = [
    find("1", { ...OLAVIDE, placeId: CHAMBERI }),
    find("2", { ...OLAVIDE, placeId: "0-EU-ES-28-07-001-079-01-001" }),
    find("3", OLAVIDE),
    find("4", ALICANTE),
  ];
  expect(placeGroupsOf(points, zones).map(({ placeId, finds }) => [placeId, finds.length])).toEqual([
    [TRAFALGAR, 2],
    ["0-EU-ES-28-07-001-079-01-001", 1],
    [null, 1],
  ]);
});

test("EASY-05 a search of a town outside the cities has an outline, and a find without coordinates lights the town", async () => {
  const towns = await loadZones("0-EU-ES-29");
  const marbella = { placeId: "0-EU-ES-29-05-001-069", rings: [] };
  const points = [find("1", { placeId: "0-EU-ES-29-05-001-067" })];
  const model = mapModelOf({ points, areas: [marbella], zones: towns });
  const namesOf = (wanted: (zone: (typeof model.zones)[number]) => boolean) => [
    ...new Set(model.zones.filter(wanted).map(({ town }) => town?.name)),
  ];
  expect(namesOf(({ isSearched }) => isSearched)).toEqual(["Marbella"]);
  expect(namesOf(({ isLit }) => isLit)).toEqual(["Málaga"]);
  expect(isInBox(model.first, { latitude: 36.51, longitude: -4.88 })).toBe(true);
  expect(placeGroupsOf(points, towns)[0]?.placeId).toBe("0-EU-ES-29-00-000-067");
});

test("EASY-05 a city among other searched towns has one border with them, and its own zones when it is searched alone", async () => {
  const madrid = await loadZones("0-EU-ES-28");
  const outlineOf = (placeId: string) =>
    mapModelOf({ points: [], areas: [{ placeId, rings: [] }], zones: madrid }).outline;
  const borderPoints = new Set(
    madrid.filter(({ town }) => !town).flatMap(({ ring }) => ring.map(({ latitude }) => latitude)),
  );
  const isOfZones = (placeId: string) =>
    outlineOf(placeId)
      .flat()
      .some(({ latitude }) => borderPoints.has(latitude));
  expect(outlineOf("0-EU-ES-28").length).toBeGreaterThan(0);
  expect(isOfZones("0-EU-ES-28")).toBe(false);
  expect(isOfZones("0-EU-ES-28-07-001-079")).toBe(true);
});
