import { afterAll, beforeAll, expect, test } from "vitest";
import { noteChangedZones } from "#store/finds/market-figures.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { refreshChangedTowns, refreshMarketFigures } from "./refresh-market-figures.ts";

const MADRID = "0-EU-ES-28-07-001-079";
const PACIFICO = `${MADRID}-03-001`;
const GOYA = `${MADRID}-04-001`;
const NOW = new Date("2026-11-16T06:00:00Z");

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Seen {
  home: string;
  placeId: string;
  perM2: number;
  areaM2?: number;
  daysAgo?: number;
  stayedDays?: number;
  former?: number;
}

async function see(id: string, seen: Seen): Promise<void> {
  const { home, placeId, perM2, areaM2 = 60, daysAgo = 20, stayedDays, former = null } = seen;
  const listing = { kind: "homes", operation: "rent", areaM2, municipality: "Madrid" };
  const first = new Date(NOW.getTime() - daysAgo * 86_400_000);
  const gone = stayedDays === undefined ? null : new Date(first.getTime() + stayedDays * 86_400_000);
  await database.sql`
    insert into watch.portal_listings (
      listing_id, listing, card, price_eur, home_id, place_id, price_per_m2_eur, first_seen_at, last_seen_at, gone_at, former_price_eur
    ) values (
      ${id}, '{}', ${database.sql.json(listing)}, ${perM2 * areaM2}, ${home}, ${placeId}, ${perM2}, ${first}, ${gone ?? first}, ${gone}, ${former}
    )`;
}

test("FIND-03 homes count for their zone, its district and its town; fewer than five are not published", async () => {
  for (const number of [1, 2, 3, 4, 5]) {
    await see(`i${number}`, {
      home: `i${number}`,
      placeId: PACIFICO,
      perM2: 10 + number,
      stayedDays: number,
    });
  }
  await see("i5-again", { home: "i5", placeId: PACIFICO, perM2: 99, daysAgo: 30, stayedDays: 1 });
  await see("old", { home: "old", placeId: PACIFICO, perM2: 50, daysAgo: 91 });
  for (const number of [1, 2, 3, 4]) {
    await see(`g${number}`, { home: `g${number}`, placeId: GOYA, perM2: 20, areaM2: 90, former: 9000 });
  }
  await see("x1", { home: "x1", placeId: "name:calahorra", perM2: 8 });
  expect(await refreshMarketFigures(database.sql, NOW)).toBe(6);
  const rows = await database.sql`
    select place_id, place_name, size_band, seen_count as seen, median_per_m2_eur as median, low_per_m2_eur as low,
      median_days as days, gone_count as gone, cut_percent as cut
    from public.market_figures where size_band = 'all' order by place_id`;
  expect([...rows]).toEqual([
    { ...placed(MADRID, "Madrid"), seen: 9, median: 15, low: 13, days: 3, gone: 5, cut: 44 },
    { ...placed(`${MADRID}-03`, "Retiro"), seen: 5, median: 13, low: 12, days: 3, gone: 5, cut: 0 },
    { ...placed(PACIFICO, "Pacífico"), seen: 5, median: 13, low: 12, days: 3, gone: 5, cut: 0 },
  ]);
  const bands = await database.sql`select size_band from public.market_figures where size_band <> 'all'`;
  expect(bands.map(({ size_band }) => size_band)).toEqual(["50-79", "50-79", "50-79"]);
});

test("CALM-06 only the figures of towns with changes are computed again, as the full computation would", async () => {
  const { sql } = database;
  const all = () => sql`select * from public.market_figures order by place_id, operation, size_band`;
  for (const number of [1, 2, 3, 4, 5]) {
    await see(`c${number}`, { home: `c${number}`, placeId: "name:calahorra", perM2: number });
  }
  await refreshMarketFigures(sql, NOW);
  const before = await all();
  await see("g5", { home: "g5", placeId: GOYA, perM2: 21 });
  await see("c6", { home: "c6", placeId: "name:calahorra", perM2: 6 });
  expect(await refreshChangedTowns(sql, NOW)).toBe(0);
  expect(await all()).toEqual(before);
  await noteChangedZones(sql, [GOYA, null, PACIFICO]);
  expect(await refreshChangedTowns(sql, NOW)).toBeGreaterThan(0);
  const seenIn = async (placeId: string) => {
    const [row] = await sql`
      select seen_count from public.market_figures where place_id = ${placeId} and size_band = 'all'`;
    return row?.seen_count;
  };
  // Calahorra was not marked.
  expect([await seenIn(MADRID), await seenIn(GOYA), await seenIn("name:calahorra")]).toEqual([10, 5, 6]);
  await noteChangedZones(sql, ["name:calahorra"]);
  await refreshChangedTowns(sql, NOW);
  const changed = await all();
  await refreshMarketFigures(sql, NOW);
  expect(await all()).toEqual(changed);
  expect(changed.find(({ place_id }) => place_id === GOYA)?.prices_per_m2_eur).toEqual([20, 20, 20, 20, 21]);
});

const placed = (place_id: string, place_name: string) => ({ place_id, place_name, size_band: "all" });
