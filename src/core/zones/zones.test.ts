import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { boxOf } from "../geo/box.ts";
import type { Point } from "../geo/polyline.ts";
import { findPlace } from "../places/places.ts";
import { BARCELONA } from "./barcelona.ts";
import { ZONES_ATTRIBUTION, type Zone, zonesOf } from "./city-shapes.ts";
import { loadLand, provinceAt } from "./land.ts";
import { DRAWN_PROVINCES, loadZones } from "./load-shapes.ts";
import { MADRID } from "./madrid.ts";
import { loadTowns } from "./towns.ts";
import { VALENCIA } from "./valencia.ts";
import { zoneAt } from "./zone-at.ts";
import { outlineOf } from "./zone-outline.ts";

const CITIES = [MADRID, BARCELONA, VALENCIA];
const all = CITIES.flatMap(zonesOf);
const zonesById = new Map(all.map((zone) => [zone.placeId, zone]));

/** In square metres at its latitude. */
function areaOf(ring: readonly Point[]): number {
  const perLongitude = 111_320 * Math.cos(((ring[0]?.latitude ?? 0) * Math.PI) / 180);
  const sum = ring.reduce((area, point, index) => {
    const next = ring[(index + 1) % ring.length] ?? point;
    return area + point.longitude * next.latitude - next.longitude * point.latitude;
  }, 0);
  return (sum / 2) * perLongitude * 111_320;
}

test("FIND-02 the 277 zones take at most 60 kB compressed", () => {
  expect(all.filter(({ placeId }) => findPlace(placeId)?.level === "barrio")).toHaveLength(277);
  expect(all.every(({ ring }) => areaOf(ring) > 100_000)).toBe(true);
  const sent = CITIES.map((shapes) => gzipSync(JSON.stringify(shapes)).length);
  expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(60_000);
});

test("FIND-02 neighbouring zones share their borders, so a city has one outline and no gaps", () => {
  for (const shapes of [MADRID, BARCELONA]) {
    const rings = zonesOf(shapes).map(({ ring }) => ring);
    const nameOf = (point: Point | undefined) => `${point?.latitude} ${point?.longitude}`;
    const outline = outlineOf(rings);
    const border = new Set(outline.map((line) => nameOf(line[0])));
    expect(outline.every((line) => border.has(nameOf(line.at(-1))))).toBe(true);
    expect(areaInside(outline)).toBeCloseTo(
      rings.reduce((sum, ring) => sum + areaInside([[...ring, ...ring.slice(0, 1)]]), 0),
      9,
    );
  }
});

function areaInside(lines: readonly (readonly Point[])[]): number {
  return lines
    .flatMap((line) => line.slice(1).map((to, index) => ({ from: line[index] ?? to, to })))
    .reduce((sum, { from, to }) => sum + from.longitude * to.latitude - to.longitude * from.latitude, 0);
}

test("FIND-02 a point is located in its zone and on its city's map", async () => {
  const plazaDeOlavide = { latitude: 40.4331, longitude: -3.7011 };
  expect(findPlace(zoneAt(all, plazaDeOlavide)?.placeId ?? "")?.name).toBe("Trafalgar");
  expect(zoneAt(all, { latitude: 38.3452, longitude: -0.481 })).toBeUndefined();
  const loaded = await Promise.all(DRAWN_PROVINCES.map(loadZones));
  expect(loaded.map((zones) => zones.filter(({ town }) => !town))).toEqual(CITIES.map(zonesOf));
});

test("EASY-05 every point of Spain is in a province and in a municipality of it; at sea and abroad there is none", async () => {
  const land = await loadLand();
  const places = [
    ["Madrid", 40.4331, -3.7011],
    ["Alacant/Alicante", 38.3452, -0.481],
    ["Cangas de Onís", 43.351, -5.129],
    ["Palma", 39.5696, 2.6502],
    ["Santa Cruz de Tenerife", 28.4636, -16.2518],
    ["Ceuta", 35.8894, -5.3198],
    ["Condado de Treviño", 42.7377, -2.7487],
  ] as const;
  for (const [name, latitude, longitude] of places) {
    const provinceId = provinceAt(land, { latitude, longitude }) ?? "";
    const towns = (await loadZones(provinceId)).filter(({ town }) => town);
    expect([name, zoneAt(towns, { latitude, longitude })?.town?.name]).toEqual([name, name]);
  }
  expect(provinceAt(land, { latitude: 38.72, longitude: -9.14 })).toBeNull();
  expect(provinceAt(land, { latitude: 41, longitude: 3.8 })).toBeNull();
});

test("EASY-05 8,119 municipalities of all Spain take at most 350 kB compressed", async () => {
  const folder = new URL("./spain/", import.meta.url);
  const sent = readdirSync(folder).map((name) => gzipSync(readFileSync(new URL(name, folder))).length);
  expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(350_000);
  const provinces = (await loadLand()).provinces.map(({ id }) => id);
  const towns = (await Promise.all(provinces.map(loadTowns))).flat();
  const largest = towns.filter(({ town }) => town?.part === 0);
  expect([provinces.length, largest.length]).toEqual([52, 8_119]);
  expect(new Set(towns.map(({ placeId }) => placeId)).size).toBe(8_119);
  expect(towns.every(({ ring }) => ring.length > 2)).toBe(true);
});

interface Feature {
  readonly properties: { readonly locationId: string };
  readonly geometry: { readonly coordinates: [number, number][][][] };
}

const SOURCE = "../shared/data/zones.geojson";
const ELEMENTS = "../shared/data/api-madrid-sale-2024.jsonl";

describe.skipIf(!existsSync(SOURCE))("compared with the source data (skipped without the file)", () => {
  const source: { attribution: string; features: Feature[] } = existsSync(SOURCE)
    ? JSON.parse(readFileSync(SOURCE, "utf8"))
    : { attribution: "", features: [] };
  const zones: Zone[] = source.features.flatMap(({ properties, geometry }) => {
    const ring = (geometry.coordinates[0]?.[0] ?? []).map(([longitude, latitude]) => ({
      latitude,
      longitude,
    }));
    const box = boxOf(ring);
    return box ? [{ placeId: properties.locationId, ring, box }] : [];
  });

  test("FIND-02 every zone exists, and its area is within one percent of the source's", () => {
    expect(zones).toHaveLength(277);
    const off = zones.filter(({ placeId, ring }) => {
      const share = areaOf(zonesById.get(placeId)?.ring ?? []) / areaOf(ring);
      return Math.abs(share - 1) > 0.01;
    });
    expect(off).toEqual([]);
    expect(source.attribution).toContain(ZONES_ATTRIBUTION);
  });

  test.skipIf(!existsSync(ELEMENTS))(
    "FIND-02 435 real adverts lie in the same zone as in the source data",
    () => {
      const points: Point[] = readFileSync(ELEMENTS, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(points).toHaveLength(435);
      const moved = points.filter(
        (point) => zoneAt(all, point)?.placeId !== zoneAt(zones, point)?.placeId || !zoneAt(all, point),
      );
      expect(moved).toEqual([]);
    },
  );
});
