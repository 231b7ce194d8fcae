import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PLACE_ALIASES } from "./aliases.ts";
import {
  allPlaces,
  ancestorsOf,
  contains,
  enclosingPlaceOf,
  findPlace,
  placeOfNames,
  resolvePlacePath,
} from "./places.ts";
import { slugOf } from "./slug.ts";

const MADRID = "0-EU-ES-28-07-001-079";

test.each([
  ["Camp d'Esports", "camp-d-esports"],
  ["Rambla de Ferran - Estaciò", "rambla-de-ferran-estacio"],
  ["Jávea/Xàbia", "javeaxabia"],
  ["Balears (Illes)", "balears-illes"],
  ["12 de Octubre-Orcasur", "12-de-octubre-orcasur"],
])("%s has the slug %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test("every place is found by its path and by its names in API answers", () => {
  for (const place of allPlaces()) {
    expect(resolvePlacePath(place.path)).toEqual({ ok: true, place });
    if (place.level === "comarca") continue;
    const line = [place, ...ancestorsOf(place.id)];
    const nameAt = (level: string) => line.find((one) => one.level === level)?.name ?? null;
    const names = {
      province: nameAt("province"),
      municipality: nameAt("municipality"),
      district: nameAt("district"),
      neighborhood: nameAt("barrio"),
    };
    expect([place.id, placeOfNames(names)?.id]).toEqual([place.id, place.id]);
  }
});

test("every alias belongs to a place of the catalogue and differs from its name", () => {
  for (const [id, aliases] of Object.entries(PLACE_ALIASES)) {
    const place = findPlace(id);
    expect([id, place?.id]).toEqual([id, id]);
    expect(aliases.map(slugOf)).not.toContain(slugOf(place?.name ?? ""));
  }
});

test("the catalogue contains every province, Madrid's towns, and the three cities down to their barrios", () => {
  const all = [...allPlaces()];
  expect(all.filter(({ level }) => level === "province")).toHaveLength(54);
  expect(all.filter(({ level, id }) => level === "municipality" && id.startsWith("0-EU-ES-28"))).toHaveLength(
    190,
  );
  expect(all.filter(({ level, id }) => level === "district" && id.startsWith(MADRID))).toHaveLength(21);
  expect(all.filter(({ level, id }) => level === "barrio" && id.startsWith(MADRID))).toHaveLength(138);
  expect(all.filter(({ level, id }) => level === "district" && id.startsWith("0-EU-ES-08"))).toHaveLength(10);
  expect(all.filter(({ level, id }) => level === "district" && id.startsWith("0-EU-ES-46"))).toHaveLength(16);
});

test.each([
  [["madrid", "centro"], `${MADRID}-01`],
  [["madrid", "corredor-del-henares"], "0-EU-ES-28-06"],
  [["valencia", "valencia"], "0-EU-ES-46-02"],
  [["majadahonda", "zona-norte"], "0-EU-ES-28-02-004-080-01"],
  [["madrid", "zona-norte"], "0-EU-ES-28-01"],
  [["malaga"], "0-EU-ES-29"],
  [["malaga-provincia"], "0-EU-ES-29"],
  [["bizkaia-provincia"], "0-EU-ES-48"],
  [["madrid", "fuencarral-el-pardo"], `${MADRID}-08`],
])("%j is the place %s", (path, id) => {
  expect(resolvePlacePath(path)).toMatchObject({ ok: true, place: { id } });
});

test.each([
  [["madrid"]],
  [["madrid", "chambery"]],
  [["galdakao-vizcaya"]],
  [[]],
  [["madrid", "centro", "sol", "x"]],
  [["constructor"]],
  [["__proto__"]],
])("%j is an unknown place", (path) => {
  expect(resolvePlacePath(path)).toEqual({ ok: false, reason: "unknown-place" });
});

test.each([
  ["Arganzuela", "Palos de Moguer", `${MADRID}-02-006`],
  ["Villaverde", "San Andrés", `${MADRID}-17-001`],
  ["Vicálvaro", "El Cañaveral - Los Berrocales", `${MADRID}-19`],
  ["CHAMBERI", "trafalgar", `${MADRID}-07-003`],
  ["Distrito nuevo", "Trafalgar", MADRID],
])("the names %s, %s resolve to %s", (district, neighborhood, id) => {
  expect(placeOfNames({ province: "Madrid", municipality: "Madrid", district, neighborhood })?.id).toBe(id);
});

test("an unknown province resolves to nothing, an unknown town to its province", () => {
  const names = { municipality: "Mataró", district: null, neighborhood: null };
  expect(placeOfNames({ ...names, province: "Atlantis" })).toBeUndefined();
  expect(placeOfNames({ ...names, province: null })).toBeUndefined();
  expect(placeOfNames({ ...names, province: "Barcelona" })?.id).toBe("0-EU-ES-08");
});

test("an id contains another only at a boundary between parts", () => {
  expect(contains("0-EU-ES-28", `${MADRID}-07`)).toBe(true);
  expect(contains(MADRID, MADRID)).toBe(true);
  expect(contains("0-EU-ES-2", "0-EU-ES-28")).toBe(false);
  expect(contains(`${MADRID}-07`, MADRID)).toBe(false);
});

test("ancestors run from the nearest to the province", () => {
  expect(ancestorsOf(`${MADRID}-07-003`).map(({ name }) => name)).toEqual(["Chamberí", "Madrid", "Madrid"]);
  expect(ancestorsOf("0-EU-ES-28")).toEqual([]);
});

test.each([
  [["galdakao-vizcaya"], "0-EU-ES-48"],
  [["las-palmas-de-gran-canaria-las-palmas"], "0-EU-ES-35"],
  [["madrid", "villa-de-vallecas", "valdecarros"], `${MADRID}-18`],
  [["madrid", "nowhere"], "0-EU-ES-28"],
  [["leganes", "nowhere"], "0-EU-ES-28"],
  [["javeaxabia", "adsubia"], undefined],
  [["palma-de-mallorca"], undefined],
])("%j lies within %s", (path, id) => {
  expect(enclosingPlaceOf(path)?.id).toBe(id);
});

const PLACES = "../shared/data/places.csv";
test.skipIf(!existsSync(PLACES))(
  "the catalogue agrees with the reference list (skipped without the data)",
  () => {
    const rows = readFileSync(PLACES, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(","));
    expect(rows.length).toBe([...allPlaces()].length);
    for (const [id = "", , name, path = ""] of rows) {
      expect(findPlace(id)?.name).toBe(name);
      expect(resolvePlacePath(path.split("/"))).toMatchObject({ ok: true, place: { id } });
    }
  },
);

const ELEMENTS = "../shared/data/api-madrid-sale-2024.jsonl";
test.skipIf(!existsSync(ELEMENTS))(
  "every real Madrid listing resolves to its barrio (skipped without the data)",
  () => {
    const lines = readFileSync(ELEMENTS, "utf8").trim().split("\n");
    expect(lines).toHaveLength(435);
    for (const line of lines) {
      const { province, municipality, district, neighborhood } = JSON.parse(line);
      expect([neighborhood, placeOfNames({ province, municipality, district, neighborhood })?.level]).toEqual(
        [neighborhood, "barrio"],
      );
    }
  },
);
