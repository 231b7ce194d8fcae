import { expect, test } from "vitest";
import type { Language } from "#core/languages.ts";
import { type SearchToName, searchNameAmong } from "./search-names.ts";
import { wordsOf } from "./translator.ts";

const of = (id: string, path: string, name: string | null = null): SearchToName => ({
  id,
  name,
  url: `https://www.idealista.com/alquiler-viviendas/${path}/`,
});
const namesOf = (all: readonly SearchToName[], language: Language = "en") =>
  all.map((search) => searchNameAmong(search, all, wordsOf("search", language))?.full);
const plain = of("1", "madrid/chamberi");
const withLimits = of("2", "madrid/chamberi/con-precio-hasta_1500,ascensor");

test("EASY-03 one search of a place is called by the place, and the second tells both apart", () => {
  expect(namesOf([plain])).toEqual(["Chamberí, Madrid"]);
  expect(namesOf([plain, withLimits])).toEqual(["Chamberí, all", "Chamberí, up to €1,500, lift"]);
  expect(namesOf([withLimits, of("3", "getafe-madrid")])).toEqual(["Chamberí, Madrid", "Getafe, Madrid"]);
});

test("EASY-03 only what differs is said, in the language, and a name given by the person stays", () => {
  const dear = of("3", "madrid/chamberi/con-precio-hasta_2000,ascensor");
  expect(namesOf([withLimits, dear], "de")).toEqual([
    "Chamberí, bis 1.500\u00a0€",
    "Chamberí, bis 2.000\u00a0€",
  ]);
  expect(namesOf([plain, withLimits], "ru")[0]).toBe("Chamberí, всё");
  expect(namesOf([of("1", "madrid/chamberi", "Near work"), withLimits])).toEqual([
    "Near work",
    "Chamberí, Madrid",
  ]);
  expect(namesOf([of("1", "madrid-madrid", "chamberí, madrid"), withLimits])[1]).toBe(
    "Chamberí, up to €1,500, lift",
  );
});

test("EASY-03 rent and sale, and places of one name in two towns, are told apart", () => {
  const sale = { ...plain, id: "2", url: plain.url.replace("alquiler", "venta") };
  expect(namesOf([plain, sale])).toEqual(["Chamberí, to rent", "Chamberí, to buy"]);
  const [madrid, getafe] = [of("1", "madrid/centro"), of("3", "getafe/centro")];
  const names = namesOf([madrid, of("2", "madrid/centro/con-ascensor"), getafe]);
  expect(names).toEqual(["Centro, Madrid, all", "Centro, Madrid, lift", "Centro, Getafe"]);
});

test("EASY-03 the same search twice is numbered, and many differences stay distinct", () => {
  expect(namesOf([plain, { ...plain, id: "2" }])).toEqual(["Chamberí, all", "Chamberí, all (2)"]);
  const one = of(
    "1",
    "madrid/chamberi/con-precio-hasta_1500,metros-cuadrados-mas-de_60,ascensor,garaje,terraza",
  );
  const other = of(
    "2",
    "madrid/chamberi/con-precio-hasta_1500,metros-cuadrados-mas-de_60,ascensor,garaje,trastero",
  );
  const names = namesOf([one, other, plain]);
  expect(new Set(names).size).toBe(3);
});
