import { expect, test } from "vitest";
import type { FindDetails, FindPage } from "#core/finds/find.ts";
import { readFigures } from "#server/monitoring/rows/figures.ts";
import { asPerson } from "#test/watching/many-finds.ts";
import { storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const RETIRO =
  "https://www.idealista.com/venta-viviendas/madrid/retiro/con-precio-hasta_900000/?ordenado-por=fecha-publicacion-desc";
const IN_MADRID = "https://www.idealista.com/venta-viviendas/madrid/";
const MADRID = "https://www.idealista.com/venta-viviendas/madrid-madrid/";
const story = storyForTests(3_000);

test("a price cut is announced once to people who know the listing, however often the price changes", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 800_000 });
  await story.round();
  for (const priceEur of [760_000, 800_000, 760_000, 760_000]) {
    story.portal.market.changePrice(story.advert(code), priceEur);
    await story.round();
  }
  expect(await story.kindsOf(code)).toEqual(["new", "price-drop"]);
  const [drop] = await alertsOf(story.sql, ["price-drop"]);
  expect(drop?.payload).toMatchObject({
    formerPriceEur: 800_000,
    dropPercent: 5,
    listing: { priceEur: 760_000 },
  });
  const history =
    await story.sql`select price_eur from watch.prices where listing_id = ${code} order by seen_at`;
  expect(history.map(({ price_eur }) => price_eur)).toEqual([800_000, 760_000, 800_000, 760_000]);
});

test("a listing that a price cut brings below the limit is new to the person; a baseline listing that was below it is not", async () => {
  const dear = story.publish(RETIRO.replace("900000", "2000000"), { priceEur: 950_000 });
  const cheap = story.publish(RETIRO, { priceEur: 890_000 });
  for (let i = 0; i < 4; i++) story.publish(RETIRO);
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  story.portal.market.changePrice(story.advert(dear), 880_000);
  story.portal.market.changePrice(story.advert(cheap), 850_000);
  await story.round();
  expect(await story.kindsOf(dear)).toEqual(["new"]);
  expect(await story.kindsOf(cheap)).toEqual([]);
});

test("a home under a new code is announced as readvertised; a hidden home is not announced under any code", async () => {
  const [first, second] = await addPeople(story.sql, [{ url: RETIRO }, { url: RETIRO }]);
  await story.round();
  const code = story.publish(RETIRO, { floor: "3" });
  await story.round();
  await story.sql`insert into public.marks (user_id, listing_id, mark) values (${second?.userId ?? ""}, ${code}, 'hidden')`;
  const again = story.portal.market.readvertise(story.advert(code));
  await story.round();
  story.portal.market.changePrice(story.advert(code), Math.round(story.advert(code).priceEur * 0.9));
  await story.round();
  const told = (await alertsOf(story.sql)).filter(
    ({ listingId }) => listingId === code || listingId === again.code,
  );
  expect(told.filter(({ userId }) => userId === first?.userId).map(({ kind }) => kind)).toEqual([
    "new",
    "new",
    "price-drop",
  ]);
  expect(told.filter(({ userId }) => userId === second?.userId).map(({ kind }) => kind)).toEqual(["new"]);
  expect(told.find(({ listingId }) => listingId === again.code)?.payload).toMatchObject({
    formerListingId: code,
  });
});

test("FIND-01 a find follows its listing: cheaper, gone, back, and under a new code", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  const cardOf = (filter: object) =>
    asPerson(story.sql, person?.userId ?? "", async (db) => {
      const [row] = await db<
        [{ page: FindPage }]
      >`select public.my_finds(${db.json(filter as never)}) as page`;
      return row.page.finds[0];
    });
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 800_000, floor: "3" });
  await story.round();
  expect(await cardOf({ state: "new" })).toMatchObject({ listingId: code, operation: "sale", goneAt: null });
  expect((await cardOf({ zone: "0-EU-ES-28-07-001-079-03" }))?.listingId).toBe(code);
  story.portal.market.changePrice(story.advert(code), 760_000);
  await story.round();
  expect(await cardOf({ state: "cheaper" })).toMatchObject({ priceEur: 760_000, formerPriceEur: 800_000 });
  story.portal.market.withdraw(story.advert(code));
  for (let round = 0; round < 3; round++) await story.round();
  const lastRoundAt = new Date(story.clock.now() - 630_000);
  expect(new Date((await cardOf({ state: "gone" }))?.goneAt ?? 0)).toEqual(lastRoundAt);
  story.portal.market.restore(code);
  await story.round();
  expect(await cardOf({ state: "gone" })).toBeUndefined();
  expect(await cardOf({ state: "back" })).toMatchObject({ listingId: code, goneAt: null, advertCount: 1 });
  const again = story.portal.market.readvertise(story.advert(code));
  await story.round();
  expect(await cardOf({ state: "back" })).toMatchObject({
    listingId: again.code,
    homeId: code,
    advertCount: 2,
  });
});

test("a listing that is gone is announced to people who kept it, and as back to people who know it", async () => {
  const [keeper] = await addPeople(story.sql, [{ url: RETIRO }, { url: RETIRO }]);
  await story.round();
  const code = story.publish(RETIRO);
  story.publish(RETIRO);
  await story.round();
  await story.sql`insert into public.marks (user_id, listing_id, mark) values (${keeper?.userId ?? ""}, ${code}, 'kept')`;
  story.portal.market.withdraw(story.advert(code));
  await story.round();
  await story.round();
  expect(await story.kindsOf(code)).toEqual(["new", "new"]);
  await story.round();
  await story.round();
  expect(await story.kindsOf(code)).toEqual(["new", "new", "gone"]);
  story.portal.market.restore(code);
  await story.round();
  await story.round();
  expect(await story.kindsOf(code)).toEqual(["new", "new", "gone", "back", "back"]);
});

test("CALM-09 three failed rounds cause one notice, recovery another one, and nothing is lost or counts as ended", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  story.portal.faults.set({ fault: "bad-gateway" });
  const code = story.publish(RETIRO);
  await story.round();
  await story.round();
  expect(await alertsOf(story.sql, ["source-down"])).toEqual([]);
  for (let i = 0; i < 4; i++) await story.round();
  expect((await alertsOf(story.sql, ["source-down"])).map(({ payload }) => payload.reason)).toEqual([
    "server-trouble",
  ]);
  expect(await story.sql`select from watch.portal_listings where gone_at is not null`).toHaveLength(0);
  story.portal.faults.clear();
  await story.round();
  await story.round();
  expect((await alertsOf(story.sql, ["source-up"])).map(({ payload }) => payload)).toEqual([
    { sinceMs: expect.any(Number), untilMs: expect.any(Number), mayHaveMissed: false },
  ]);
  expect(await story.kindsOf(code)).toEqual(["new"]);
});

test("P13 an unexpectedly empty answer is a failed check, and nothing becomes new after it", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const before = (await alertsOf(story.sql)).length;
  story.portal.faults.set({ fault: "empty", times: 1 });
  expect(await story.round()).toEqual([{ outcome: "failed", reason: "nothing-listed" }]);
  await story.round();
  expect(await alertsOf(story.sql)).toHaveLength(before);
});

test("WATCH-05 DEMO-03 the demo filter is watched like any other and fills the demo", async () => {
  const demo = story.rounds({
    demoFilter: { filterId: "00000000-0000-4000-8000-000000000001", filterUrl: MADRID },
  });
  await story.round(demo);
  const rows = () => story.sql`select demo_id, details from public.demo_listings order by created_at desc`;
  expect(await rows()).toHaveLength(5);
  const code = story.publish(RETIRO);
  await story.round(demo);
  expect((await rows())[0]).toMatchObject({
    demo_id: code,
    details: { rooms: expect.any(Number), type: expect.any(String) },
  });
});

test("if the quota is too small for the interval, all feeds are checked less often, and the real interval is stored", async () => {
  await addPeople(story.sql, [
    { url: RETIRO },
    { url: "https://www.idealista.com/alquiler-viviendas/madrid-madrid/" },
  ]);
  const said: unknown[] = [];
  const poor = story.rounds({ monthlyRequests: 1_000, onWarning: (fields) => said.push(fields) });
  await story.round(poor);
  const intervals = (await story.sql`select interval_seconds from watch.feeds`).map(
    (row) => row.interval_seconds,
  );
  expect(new Set(intervals).size).toBe(1);
  expect(intervals[0]).toBeGreaterThan(5_000);
  expect(said).toEqual([
    expect.objectContaining({ source: "official", isStretched: true, monthlyRequests: 1_000 }),
  ]);
});

test("CALM-06 after the first check the market, an opened home, its card and the next alert have the same figures", async () => {
  const ibiza = `${IN_MADRID}retiro/ibiza/`;
  for (let i = 0; i < 60; i++) story.publish(ibiza, { priceEur: 500_000, sizeM2: 100 });
  const [person] = await addPeople(story.sql, [{ url: ibiza }]);
  await story.round();
  const figureOf = async () => {
    const [row] = await story.sql`
      select seen_count as samples, median_per_m2_eur as median, place_name as place from public.market_figures
      where place_name = 'Ibiza' and operation = 'sale' and size_band = 'all'`;
    return row;
  };
  const market = await figureOf();
  expect(market?.samples).toBeGreaterThanOrEqual(60);
  const code = story.publish(ibiza, { priceEur: 450_000, sizeM2: 100 });
  await story.round();
  const [told] = await alertsOf(story.sql, ["new"]);
  expect(told?.payload.listing).toMatchObject({
    pricePerM2Eur: 4500,
    comparison: { percent: -10, samples: market?.samples, place: "Ibiza" },
  });

  const after = await figureOf();
  expect(after?.samples).toBe(market?.samples + 1);
  const [home, card] = await asPerson(story.sql, person?.userId ?? "", async (db) => {
    const [row] = await db<
      [{ home: FindDetails; page: FindPage }]
    >`select public.my_find(${code}) as home, public.my_finds() as page`;
    return [row.home, row.page.finds.find(({ listingId }) => listingId === code)];
  });
  expect(home.comparison).toEqual({ percent: -10, samples: after?.samples, place: "Ibiza" });
  expect(card?.comparison).toEqual(home.comparison);
  expect([home.zoneCount, home.zonePricesPerM2.length]).toEqual([after?.samples, after?.samples]);
});

test("the metrics show late, failing and stretched feeds", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  story.portal.faults.set({ fault: "bad-gateway" });
  await story.round();
  story.clock.advance(1_200_000);
  expect(await readFigures(story.sql, new Date(story.clock.now()))).toMatchObject({
    feeds: { all: 1, failing: 1 },
    filters: { active: 1, unserved: 0 },
    longestIntervalSeconds: 600,
    mostOverdueFeedSeconds: expect.closeTo(1_800, -3),
  });
});

test("a daily full scan finds price cuts far down, and old listings there are not new", async () => {
  const code = story.publish(MADRID, { priceEur: 400_000 });
  await addPeople(story.sql, [{ url: MADRID }]);
  await story.round();
  for (let i = 0; i < 120; i++) story.publish(MADRID);
  await story.round();
  story.portal.market.changePrice(story.advert(code), 360_000);
  await story.round();
  expect(await story.kindsOf(code)).toEqual([]);
  story.clock.advance(86_400_000);
  story.portal.ledger.clear();
  for (let turn = 0; turn < 6; turn++) await story.round();
  expect(story.portal.ledger.count("search")).toBeGreaterThan(20);
  expect(await story.kindsOf(code)).toEqual(["price-drop"]);
  expect(await alertsOf(story.sql, ["new"])).toHaveLength(120);
});
