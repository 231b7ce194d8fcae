import { expect, test } from "vitest";
import { sampleListing } from "#test/fixtures/listing.ts";
import { chooseSearches } from "./choose-searches.ts";

const SITE = "https://www.idealista.com/venta-viviendas/madrid-madrid/";
const searchOf = (id: string, filter: string, isPaused = false) => ({
  id,
  filterUrl: `${SITE}${filter}`,
  isPaused,
});
const LISTING = sampleListing({ operation: "sale", kind: "homes", priceEur: 500_000 });
const chosen = (searches: readonly ReturnType<typeof searchOf>[], url: string | null = null) =>
  chooseSearches(searches, url, LISTING).map(({ id }) => id);

const CERTAIN = "con-precio-hasta_600000/";
const NO = "con-precio-hasta_400000/";

test("LAST-05 a mail's home goes to every active search that may want it, and never to a paused one", () => {
  expect(chosen([searchOf("paused", CERTAIN, true), searchOf("active", CERTAIN)])).toEqual(["active"]);
  expect(chosen([searchOf("a", CERTAIN), searchOf("b", CERTAIN), searchOf("no", NO)])).toEqual(["a", "b"]);
  expect(chosen([searchOf("paused", CERTAIN, true), searchOf("no", NO)])).toEqual(["no"]);
});

test("LAST-05 one that may match gets it beside one that matches for certain", () => {
  const maybe = searchOf("maybe", "con-precio-hasta_600000,terraza/");
  expect(chosen([searchOf("certain", CERTAIN), maybe])).toEqual(["certain", "maybe"]);
  expect(chosen([searchOf("paused", CERTAIN, true), maybe])).toEqual(["maybe"]);
});

test("LAST-05 without an active search it is noted for those that match, and without a match for the first", () => {
  expect(chosen([searchOf("a", CERTAIN, true), searchOf("b", CERTAIN, true)])).toEqual(["a", "b"]);
  expect(chosen([searchOf("a", NO), searchOf("b", NO)])).toEqual(["a"]);
  expect(chosen([searchOf("named", NO), searchOf("b", CERTAIN)], `${SITE}${NO}`)).toEqual(["named", "b"]);
});
