import { expect, test } from "vitest";
import { isInRing } from "#core/geo/drawn-area.ts";
import { zonesOf } from "#core/zones/city-shapes.ts";
import { MADRID } from "#core/zones/madrid.ts";
import { Market } from "./market.ts";

const STARTS_AT = Date.UTC(2026, 2, 2, 8);
const DAY_MS = 86_400_000;
const CITY = "0-EU-ES-28-07-001-079";

function createMarket(changes: { seed?: number; newPerDay?: number } = {}) {
  return new Market({ seed: 7, size: 4000, newPerDay: 1000, startsAt: STARTS_AT, ...changes });
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

test("the same seed gives the same market, however often it is read in between, and another seed a different one", () => {
  const [one, other] = [createMarket(), createMarket()];
  one.advanceTo(STARTS_AT + DAY_MS);
  for (let hour = 1; hour <= 24; hour += 1) {
    other.advanceTo(STARTS_AT + (hour * DAY_MS) / 24);
  }
  expect(other.journal).toEqual(one.journal);
  expect(other.latest(500)).toEqual(one.latest(500));
  expect(createMarket({ seed: 8 }).latest(5)).not.toEqual(createMarket().latest(5));
});

test("a day brings new adverts, renewals, price drops, and as many withdrawals as new adverts", () => {
  const market = createMarket();
  market.advanceTo(STARTS_AT + DAY_MS);
  const count = (type: string) => market.journal.filter((event) => event.type === type).length;
  expect(count("published") + count("renewed")).toBe(1000);
  expect(count("renewed")).toBeGreaterThan(10);
  expect(count("price-changed")).toBeGreaterThan(100);
  expect(market.size).toBe(4000);
  const dates = market.latest(4000).map((advert) => advert.publishedAt);
  expect(dates).toEqual(dates.toSorted((a, b) => b - a));
});

test("prices, sizes and hidden addresses are like Madrid's", () => {
  const market = createMarket();
  const eurPerM2 = (placeId: string) =>
    medianOf(market.select("sale", "homes", placeId).map((advert) => advert.priceEur / (advert.sizeM2 ?? 1)));
  expect(eurPerM2(`${CITY}-04`)).toBeGreaterThan(5500);
  expect(eurPerM2(`${CITY}-17`)).toBeLessThan(2800);
  const homes = market.select("sale", "homes", CITY);
  expect(homes.length).toBeGreaterThan(1400);
  expect(homes.filter((advert) => !advert.isAddressShown).length / homes.length).toBeCloseTo(0.86, 1);
  expect(medianOf(homes.map((advert) => advert.sizeM2 ?? 0))).toBeGreaterThan(70);
  for (const advert of homes) {
    const northM = (advert.shownLatitude - advert.latitude) * 111_320;
    const eastM =
      (advert.shownLongitude - advert.longitude) * 111_320 * Math.cos((advert.latitude * Math.PI) / 180);
    expect(Math.hypot(northM, eastM)).toBeLessThan(advert.isAddressShown ? 0.1 : 230.5);
  }
});

test("an advert can be re-advertised under a new code, withdrawn, and restored under its own", () => {
  const market = createMarket({ newPerDay: 0 });
  const [advert] = market.select("sale", "homes", CITY);
  if (advert === undefined) {
    throw new Error("an empty market");
  }
  const again = market.readvertise(advert);
  expect(again.code).not.toBe(advert.code);
  expect(market.latest(1)).toEqual([again]);
  market.withdraw(advert);
  expect(market.find(advert.code)).toBeUndefined();
  expect(market.select("sale", "homes", CITY)).not.toContain(advert);
  expect(market.restore(advert.code)).toBe(advert);
  expect(market.latest(1)).toEqual([advert]);
});

test("EASY-05 an advert of a neighbourhood lies in it, so that a map of finds shows them where they say they are", () => {
  const zones = new Map(zonesOf(MADRID).map((zone) => [zone.placeId, zone]));
  // Three neighbourhoods of Vicálvaro are too new to have a shape.
  const homes = createMarket()
    .select("sale", "homes", CITY)
    .filter(({ spot }) => zones.has(spot.id));
  const outside = homes.filter((advert) => !isInRing(zones.get(advert.spot.id)?.ring ?? [], advert));
  expect(homes.length).toBeGreaterThan(500);
  expect(outside).toEqual([]);
});
