import { expect, test } from "vitest";
import type { FindPoint } from "../finds/find.ts";
import { encodePolyline } from "../geo/polyline.ts";
import { searchFor } from "../search/search.ts";
import { zonesOf } from "../zones/city-shapes.ts";
import { MADRID } from "../zones/madrid.ts";
import { facadesOf } from "./facades.ts";
import { mapModelOf } from "./map-model.ts";
import { placeGroupsOf } from "./place-groups.ts";
import { planeAround } from "./plane.ts";
import { searchedAreaOf } from "./searched-area.ts";
import { sheetsOf } from "./sheets.ts";
import { heldTo, pixelOf, scaleBarOf, spotAt, viewOf, zoomed } from "./view.ts";

const TRAFALGAR = "0-EU-ES-28-07-001-079-07-003";
const CHAMBERI = "0-EU-ES-28-07-001-079-07";
const zones = zonesOf(MADRID);
const OLAVIDE = { latitude: 40.4331, longitude: -3.7011 };
const ALICANTE = { latitude: 38.3452, longitude: -0.481 };

function find(id: string, facts: Partial<FindPoint> = {}): FindPoint {
  return {
    listingId: id,
    homeId: id,
    latitude: null,
    longitude: null,
    placeId: null,
    priceEur: 1_000,
    mark: null,
    isGone: false,
    ...facts,
  };
}

test("FIND-02 distances are preserved on the plane, and a spot converts back to its point", () => {
  const plane = planeAround(OLAVIDE);
  const spot = plane.spotOf({ latitude: OLAVIDE.latitude - 1 / 111.32, longitude: OLAVIDE.longitude });
  expect(spot.y).toBeCloseTo(1_000, 6);
  expect(plane.pointOf(spot).latitude).toBeCloseTo(OLAVIDE.latitude - 1 / 111.32, 9);
});

test("FIND-02 zooming keeps the spot under the pointer, within limits", () => {
  const size = { width: 400, height: 300 };
  const bounds = { west: -5_000, east: 5_000, north: -4_000, south: 4_000 };
  const view = viewOf(bounds, size);
  const at = { left: 90, top: 210 };
  const nearer = zoomed(view, size, { factor: 3, at });
  const held = pixelOf(nearer, size, spotAt(view, size, at));
  expect([held.left, held.top]).toEqual([expect.closeTo(at.left, 6), expect.closeTo(at.top, 6)]);
  const lost = { metresPerPixel: 1e9, middle: { x: 1e9, y: Number.NEGATIVE_INFINITY } };
  expect(heldTo(lost, bounds, size).middle).toEqual({ x: bounds.east, y: bounds.north });
  expect(heldTo(lost, bounds, size).metresPerPixel).toBeLessThan(100);
  expect(scaleBarOf(7.3, 100)).toEqual({ metres: 500, pixels: expect.closeTo(68.5, 1) });
});

test("FIND-02 each province has its own map, the one with the most finds first; no find is left out", () => {
  const sheets = sheetsOf(
    [
      find("1", { placeId: "0-EU-ES-03-14", ...ALICANTE }),
      find("2", { latitude: 38.35, longitude: -0.49 }),
      find("3", OLAVIDE),
      find("4", { placeId: TRAFALGAR }),
      find("5", { placeId: CHAMBERI }),
      find("6"),
    ],
    [{ placeId: "0-EU-ES-08-13-001-019", rings: [] }],
  );
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
  expect(inside.some((spot) => !corners.has(spot))).toBe(true);
  expect(model.first.east - model.first.west).toBeLessThan(5_000);
  expect(model.bounds.east - model.bounds.west).toBeGreaterThan(20_000);
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
  expect(model.drawn[0]?.map(model.plane.pointOf)[1]?.latitude).toBeCloseTo(38.36, 6);
  expect(model.first).toEqual(model.bounds);
  expect(searchedAreaOf(searchFor("rent", "homes", { type: "zones", codes: ["a"] }))).toBeUndefined();
});

test("FIND-02 a find without coordinates lights its zone; one with only a town lights none", () => {
  const points = [find("1", { placeId: TRAFALGAR }), find("2", { placeId: "0-EU-ES-28-07-001-079" })];
  const model = mapModelOf({ points, areas: [], zones });
  const lit = model.zones.filter(({ litBy }) => litBy.length > 0);
  expect(lit.map(({ placeId }) => placeId)).toEqual([TRAFALGAR]);
  expect(model.windows).toEqual([]);
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

test("FIND-02 finds at one spot are grouped, kept ones first and gone ones last", () => {
  const spot = { x: 10, y: 10 };
  const windows = [
    { spot, find: find("gone", { isGone: true, mark: "kept" }) },
    { spot, find: find("new") },
    { spot: { x: 11, y: 11 }, find: find("kept", { mark: "kept" }) },
    { spot: { x: 500, y: 0 }, find: find("far") },
  ];
  const facades = facadesOf(windows, 100);
  expect(facades.map(({ finds }) => finds.map(({ listingId }) => listingId))).toEqual([
    ["kept", "new", "gone"],
    ["far"],
  ]);
});
