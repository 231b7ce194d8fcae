import { expect, test } from "vitest";
import { normaliseSearch } from "./normalise-search.ts";
import { type SimilarTo, similarSearch } from "./similar-search.ts";

const CHAMBERI = "0-EU-ES-28-07-001-079-07";
const flat: SimilarTo = { operation: "rent", kind: "homes", priceEur: 1_150, rooms: 2, placeId: CHAMBERI };
const linkFor = (facts: Partial<SimilarTo>) => {
  const search = similarSearch({ ...flat, ...facts });
  return search && normaliseSearch(search).canonicalUrl.replace(/\?.*/, "");
};

test("CALM-07 homes like this one have its zone and bedrooms, and its price within ten per cent", () => {
  expect(linkFor({})).toBe(
    "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1270,precio-desde_1030,de-dos-dormitorios/",
  );
  expect(linkFor({ operation: "sale", priceEur: 450_500, rooms: 7 })).toBe(
    "https://www.idealista.com/venta-viviendas/madrid/chamberi/con-precio-hasta_496000,precio-desde_405000,de-cuatro-cinco-habitaciones-o-mas/",
  );
  expect(linkFor({ kind: "rooms", rooms: 3, priceEur: 9 })).toBe(
    "https://www.idealista.com/alquiler-habitacion/madrid/chamberi/con-precio-hasta_10/",
  );
  expect(linkFor({ rooms: null })).not.toContain("dormitorio");
  expect(linkFor({ rooms: 0 })).toContain("estudios");
});

test("CALM-07 without a searchable zone there is no search for similar homes", () => {
  for (const placeId of [null, "name:Atlantis", "0-EU-ES-28"]) expect(linkFor({ placeId })).toBeUndefined();
});
