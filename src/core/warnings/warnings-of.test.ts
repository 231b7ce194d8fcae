import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleListing } from "#test/fixtures/listing.ts";
import { CORPUS } from "#test/fixtures/warning-corpus.ts";
import { drawn } from "#test/seeded.ts";
import type { Listing } from "../listing/listing.ts";
import type { WarningKind } from "./warning.ts";
import { warningsOf } from "./warnings-of.ts";
import { textKeyOf } from "./wording.ts";

const saying = (description: string, said: Partial<Listing> = {}) =>
  sampleListing({ description, title: "Piso en Calle de la Subasta, 3", photoCount: 9, ...said });
const kindsOf = (listing: Listing): WarningKind[] => warningsOf(listing).map(({ kind }) => kind);

test.for(CORPUS)("FIND-04 $operation, $warning: $text", ({ operation, warning, text }) => {
  expect(kindsOf(saying(text, { operation }))).toEqual(warning === null ? [] : [warning]);
});

test("FIND-04 a warning quotes the words of the advert", () => {
  const text = "Piso señorial.\nSe vende la  NUDA\u00a0PROPIEDAD con usufructo; no se puede visitar.";
  expect(warningsOf(saying(text, { operation: "sale" }))).toEqual([
    { kind: "bare-ownership", words: "NUDA PROPIEDAD" },
  ]);
  const decomposed = "Vivienda sin posesio\u0301n.";
  expect(warningsOf(saying(decomposed, { operation: "sale" }))).toEqual([
    { kind: "occupied", words: "sin posesión" },
  ]);
});

test("FIND-04 a price 40 % below the zone's median is a warning with its numbers", () => {
  const market = { samples: 84, medianPerM2Eur: 100, place: "Trafalgar" };
  const at = (perM2: number) => warningsOf(sampleListing({ priceEur: perM2 * 50, areaM2: 50 }), { market });
  expect(at(61)).toEqual([]);
  expect(at(60)).toEqual([{ kind: "far-below-zone", percent: -40, samples: 84, place: "Trafalgar" }]);
  expect(warningsOf(sampleListing({ priceEur: 1, areaM2: null }), { market })).toEqual([]);
});

test("FIND-04 an advert without any photo is a warning; a repeated text is one from the second town on", () => {
  expect(kindsOf(sampleListing({ photoCount: 0, thumbnailUrl: null }))).toEqual(["no-photo"]);
  expect(kindsOf(sampleListing({ photoCount: 0, thumbnailUrl: "https://img.example/1.jpg" }))).toEqual([]);
  const sameText = (codes: number, towns: number) =>
    warningsOf(sampleListing(), { sameText: { codes, towns } });
  expect(sameText(6, 1)).toEqual([]);
  expect(sameText(2, 2)).toEqual([{ kind: "same-text", codes: 2, towns: 2 }]);
});

test("FIND-04 the text key ignores prices and towns, and short texts have none", () => {
  const text = (town: string, price: number) =>
    `Precioso piso reformado en el centro de ${town}, muy luminoso, con dos habitaciones, salón amplio y cocina equipada. Precio ${price} € al mes, gastos incluidos. Zona tranquila.`;
  const key = (town: string, price: number) =>
    textKeyOf({ description: text(town, price), municipality: town, district: null, neighborhood: null });
  expect(key("Madrid", 650)).toMatch(/^[0-9a-f]{16}$/);
  expect(key("Alcalá de Henares", 700)).toBe(key("Madrid", 650));
  const other = { municipality: "Madrid", district: null, neighborhood: null };
  expect(textKeyOf({ ...other, description: text("Madrid", 650).replace("dos", "tres") })).not.toBe(
    key("Madrid", 650),
  );
  expect(textKeyOf({ ...other, description: "Piso en venta." })).toBeNull();
});

test("FIND-04 reading any text is quick and has no side effects", () => {
  const words = fc.constantFrom(
    "no",
    "sin",
    "pago",
    "antes",
    "de",
    "visita",
    "subasta",
    "temporada",
    "a",
    ",",
    ".",
    "\u0000",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string({ unit: "binary" })), { maxLength: 300 }), (parts) => {
      const listing = saying(parts.join(" "), { operation: "sale" });
      for (const warning of warningsOf(listing)) {
        if ("words" in warning) expect(warning.words.length).toBeGreaterThan(2);
      }
    }),
    drawn(60),
  );
  for (const part of ["pago ", "alquiler a ", "no ", "llaves "]) warningsOf(saying(part.repeat(100_000)));
});
