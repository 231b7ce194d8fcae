import { expect, test } from "vitest";
import type { MarketFigure } from "#core/finds/find.ts";
import {
  levelsIn,
  nextOrder,
  ownFirst,
  percentOn,
  type RowOrder,
  scalesOf,
  sortedRows,
  zoneRows,
} from "./market-rows.ts";

const MADRID = "0-EU-ES-28-07-001-079";
const CENTRO = `${MADRID}-01`;
const collator = new Intl.Collator("es");

function figureOf(placeId: string, placeName: string, more: Partial<MarketFigure> = {}): MarketFigure {
  return {
    placeId,
    placeName,
    operation: "rent",
    sizeBand: "all",
    seenCount: 10,
    medianPerM2Eur: 20,
    lowPerM2Eur: 15,
    highPerM2Eur: 25,
    medianDays: null,
    goneCount: 0,
    cutPercent: 0,
    ...more,
  };
}

const FIGURES = [
  figureOf(MADRID, "Madrid", { seenCount: 60 }),
  figureOf(CENTRO, "Centro", { seenCount: 30 }),
  figureOf(`${CENTRO}-001`, "Palacio", { medianPerM2Eur: 24, medianDays: 9, goneCount: 6 }),
  figureOf(`${CENTRO}-001`, "Palacio", { sizeBand: "50-79", seenCount: 5 }),
  figureOf(`${CENTRO}-002`, "Lavapiés-Embajadores", { medianPerM2Eur: 18, lowPerM2Eur: 11 }),
  figureOf(`${CENTRO}-005`, "Ángel", { medianPerM2Eur: 24, highPerM2Eur: 31, medianDays: 2, goneCount: 5 }),
];
const zones = zoneRows(FIGURES, { level: "neighbourhoods", size: "all" });
const namesBy = (order: RowOrder) => sortedRows(zones, order, collator).map(({ name }) => name);

test("FIND-03 the table has the zones of one level, each with its district; the town is not among them", () => {
  expect(levelsIn(FIGURES)).toEqual(["neighbourhoods", "districts"]);
  expect(zones.map(({ name, district }) => [name, district])).toEqual([
    ["Palacio", "Centro"],
    ["Lavapiés-Embajadores", "Centro"],
    ["Ángel", "Centro"],
  ]);
  expect(zoneRows(FIGURES, { level: "districts", size: "all" }).map(({ name }) => name)).toEqual(["Centro"]);
});

test("FIND-03 a zone with fewer than five homes of a size has a row without figures", () => {
  const rows = zoneRows(FIGURES, { level: "neighbourhoods", size: "50-79" });
  expect(rows.map(({ name, figure }) => [name, figure?.seenCount ?? null])).toEqual([
    ["Palacio", 5],
    ["Lavapiés-Embajadores", null],
    ["Ángel", null],
  ]);
});

test("FIND-03 rows sort in both directions, equal ones by name, and rows without a figure come last", () => {
  expect(namesBy({ key: "name", isDescending: false })).toEqual(["Ángel", "Lavapiés-Embajadores", "Palacio"]);
  expect(namesBy({ key: "price", isDescending: false })).toEqual([
    "Lavapiés-Embajadores",
    "Ángel",
    "Palacio",
  ]);
  expect(namesBy({ key: "price", isDescending: true })).toEqual(["Ángel", "Palacio", "Lavapiés-Embajadores"]);
  expect(namesBy({ key: "days", isDescending: false })).toEqual(["Ángel", "Palacio", "Lavapiés-Embajadores"]);
  expect(namesBy({ key: "days", isDescending: true })).toEqual(["Palacio", "Ángel", "Lavapiés-Embajadores"]);
});

test("FIND-03 a second click on a heading reverses the order", () => {
  const first = nextOrder({ key: "price", isDescending: false }, "cuts");
  expect([first, nextOrder(first, "cuts")]).toEqual([
    { key: "cuts", isDescending: true },
    { key: "cuts", isDescending: false },
  ]);
});

test("FIND-03 all strips share one scale, and no value is outside it", () => {
  const scales = scalesOf(zones);
  expect(scales.price).toEqual({ from: 11, to: 31 });
  expect([11, 21, 31, 99, 1].map((value) => percentOn(scales.price, value))).toEqual([0, 50, 100, 100, 0]);
  expect(percentOn({ from: 20, to: 20 }, 20)).toBe(50);
});

test("FIND-03 the areas of the person's searches come first, and nothing is first if they are all or none", () => {
  const rows = sortedRows(
    zoneRows(FIGURES, { level: "neighbourhoods", size: "all" }),
    { key: "name", isDescending: false },
    collator,
  );
  const namesOf = (placeId: string) => {
    const { own, others } = ownFirst(rows, [{ placeId }]);
    return [own.map(({ name }) => name), others.length];
  };
  expect(namesOf(`${CENTRO}-001`)).toEqual([["Palacio"], rows.length - 1]);
  expect(namesOf(MADRID)).toEqual([[], rows.length]);
  expect(namesOf("0-EU-ES-08")).toEqual([[], rows.length]);
  expect(namesOf(CENTRO)[1]).toBeLessThan(rows.length + 1);
});
