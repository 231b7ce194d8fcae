import { expect, test, vi } from "vitest";
import { Market } from "./market.ts";

// Whole markets are drawn and lived through: work, not waiting, but more than a default test does.
vi.setConfig({ testTimeout: 30_000 });

const STARTS_AT = Date.UTC(2026, 2, 2, 8);
const DAY_MS = 86_400_000;

function createMarket(changes: { seed?: number; size?: number; newPerDay?: number } = {}) {
  return new Market({
    seed: 7,
    size: 10_000,
    newPerDay: 2000,
    startsAt: STARTS_AT,
    rhythm: "day",
    ...changes,
  });
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

test("the same seed gives the same market, however often it is read in between", () => {
  const [one, other] = [createMarket(), createMarket()];
  one.advanceTo(STARTS_AT + DAY_MS);
  for (let hour = 1; hour <= 24; hour += 1) {
    other.advanceTo(STARTS_AT + (hour * DAY_MS) / 24);
  }
  expect(other.journal).toEqual(one.journal);
  expect(other.latest(500)).toEqual(one.latest(500));
});

test("another seed gives another market", () => {
  expect(createMarket({ seed: 8 }).latest(5)).not.toEqual(createMarket().latest(5));
});

test("a day brings new listings, renewals under old codes, re-adverts, price cuts and departures", () => {
  const market = createMarket();
  const newestBefore = Number(market.latest(1)[0]?.code);
  market.advanceTo(STARTS_AT + DAY_MS);
  const deeds = Map.groupBy(market.journal, (entry) => entry.deed);
  const count = (deed: Parameters<typeof deeds.get>[0]) => deeds.get(deed)?.length ?? 0;
  const arrivals = count("published") + count("renewed") + count("readvertised");
  expect(arrivals).toBeGreaterThan(1700);
  expect(arrivals).toBeLessThan(2300);
  expect(count("renewed") / arrivals).toBeCloseTo(0.04, 1);
  expect(count("readvertised")).toBeGreaterThan(50);
  expect(count("price-changed")).toBeGreaterThan(100);
  expect(count("withdrawn")).toBeGreaterThan(1000);
  const renewed = deeds.get("renewed") ?? [];
  expect(renewed.some((entry) => Number(entry.code) < newestBefore)).toBe(true);
});

test("the size of the market stays near where it began", () => {
  const market = createMarket();
  market.advanceTo(STARTS_AT + 10 * DAY_MS);
  expect(market.size).toBeGreaterThan(8500);
  expect(market.size).toBeLessThan(11_500);
});

test("prices, sizes and hidden addresses are like Madrid's", () => {
  const market = createMarket();
  const eurPerM2 = (placeId: string) =>
    medianOf(market.shelf("sale", "homes", placeId).map((advert) => advert.priceEur / (advert.sizeM2 ?? 1)));
  expect(eurPerM2("0-EU-ES-28-07-001-079-04")).toBeGreaterThan(5500);
  expect(eurPerM2("0-EU-ES-28-07-001-079-17")).toBeLessThan(2800);
  const homes = market.shelf("sale", "homes", "0-EU-ES-28-07-001-079");
  expect(homes.length).toBeGreaterThan(3500);
  const hidden = homes.filter((advert) => !advert.isAddressShown).length / homes.length;
  expect(hidden).toBeCloseTo(0.86, 1);
  expect(medianOf(homes.map((advert) => advert.sizeM2 ?? 0))).toBeGreaterThan(70);
  expect(homes.filter((advert) => advert.hasLift === true).length / homes.length).toBeGreaterThan(0.6);
});

test("a hidden address is moved by no more than 230 m, a shown one not at all", () => {
  for (const advert of createMarket().latest(2000)) {
    const northM = (advert.shownLatitude - advert.latitude) * 111_320;
    const eastM =
      (advert.shownLongitude - advert.longitude) * 111_320 * Math.cos((advert.latitude * Math.PI) / 180);
    const movedM = Math.hypot(northM, eastM);
    expect(movedM).toBeLessThan(advert.isAddressShown ? 0.1 : 230.5);
  }
});

test("a re-advert is the same dwelling under a new code", () => {
  const market = createMarket({ newPerDay: 0 });
  const [advert] = market.latest(1);
  if (advert === undefined) {
    throw new Error("an empty market");
  }
  const again = market.readvertise(advert);
  expect(again.dwelling).toBe(advert.dwelling);
  expect(again.code).not.toBe(advert.code);
  expect(market.latest(1)).toEqual([again]);
});

test("a withdrawn advert leaves every shelf and comes back under its own code", () => {
  const market = createMarket({ newPerDay: 0, size: 500 });
  const advert = market.shelf("sale", "homes", "0-EU-ES-28")[3];
  if (advert === undefined) {
    throw new Error("an empty shelf");
  }
  market.withdraw(advert);
  expect(market.find(advert.code)).toBeUndefined();
  expect(market.shelf("sale", "homes", "0-EU-ES-28")).not.toContain(advert);
  expect(market.shelf("sale", "homes", advert.spot.id)).not.toContain(advert);
  expect(market.restore(advert.code)).toBe(advert);
  expect(market.shelf("sale", "homes", "0-EU-ES-28").at(-1)).toBe(advert);
});
