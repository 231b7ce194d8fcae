import type { Sql } from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#store/connection/open-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { refreshMarketFigures } from "./refresh-market-figures.ts";

const PACIFICO = "0-EU-ES-28-07-001-079-03-001";
const NOW = new Date("2026-11-16T12:00:00Z");
const DAY_MS = 86_400_000;
let database: TestDatabase;
let sql: Sql;

beforeEach(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 2 });
});
afterEach(async () => {
  await sql.end();
  await database.drop();
});

interface Seen {
  id: string;
  home?: string;
  area?: number | string;
  perM2: number;
  daysAgo?: number;
  goneAfterDays?: number;
  former?: number;
  place?: string | null;
  listing?: object;
}

async function see(adverts: readonly Seen[]): Promise<void> {
  for (const advert of adverts) {
    const { id, home = id, area = 60, perM2, daysAgo = 1, goneAfterDays, place = PACIFICO } = advert;
    const firstSeen = NOW.getTime() - (daysAgo + 10) * DAY_MS;
    const gone = goneAfterDays === undefined ? null : new Date(firstSeen + goneAfterDays * DAY_MS);
    const listing = {
      operation: "sale",
      kind: "homes",
      areaM2: area,
      municipality: "Madrid",
      ...advert.listing,
    };
    await sql`
      insert into watch.portal_listings (
        listing_id, listing, price_eur, home_id, price_per_m2_eur, first_seen_at, last_seen_at, place_id, gone_at,
        former_price_eur
      )
      values (
        ${id}, ${sql.json(listing)}, 1, ${home}, ${perM2}, ${new Date(firstSeen)},
        ${new Date(NOW.getTime() - daysAgo * DAY_MS)}, ${place}, ${gone}, ${advert.former ?? null}
      )`;
  }
}

const figures = () => sql`
  select place_id as place, place_name as name, operation, size_band as band, seen_count as seen,
    median_per_m2_eur as median, low_per_m2_eur as low, high_per_m2_eur as high, median_days as days, gone_count as gone,
    cut_percent as cut
  from public.market_figures order by place_id, operation, size_band`;

test("FIND-03 homes of 90 days are counted once each by zone, operation and size, and nothing under five is kept", async () => {
  await see([
    { id: "1", perM2: 3000, goneAfterDays: 2 },
    { id: "2", perM2: 3500, goneAfterDays: 4, former: 9 },
    { id: "3", perM2: 4000, goneAfterDays: 6 },
    { id: "4", perM2: 4500, goneAfterDays: 8 },
    // One home under two codes: its latest price, and on offer until its last advert went.
    { id: "5", home: "5", perM2: 9000, daysAgo: 5, goneAfterDays: 1, former: 9 },
    { id: "6", home: "5", perM2: 5000, daysAgo: 1, goneAfterDays: 6 },
    { id: "7", perM2: 6000, area: 150 },
    // Four, and what is too old, of no known zone, or no home.
    ...[1, 2, 3, 4].map((n) => ({ id: `rent${n}`, perM2: 20, listing: { operation: "rent" } })),
    ...[1, 2, 3, 4, 5].flatMap((n) => [
      { id: `old${n}`, perM2: 1, daysAgo: 91 },
      { id: `nowhere${n}`, perM2: 1, place: null },
      { id: `garage${n}`, perM2: 1, listing: { kind: "garages" } },
      {
        id: `nonsense${n}`,
        perM2: 1,
        place: "name:getafe",
        area: "vast",
        listing: { municipality: "Getafe" },
      },
    ]),
  ]);
  // A home that only a mail told of counts where the zone is taken as a whole.
  await sql`
    insert into watch.mail_figures (listing_id, market_key, price_per_m2_eur, last_seen_at)
    values ('m', ${`sale homes ${PACIFICO} pacifico`}, 7000, ${NOW}), ('1', ${`sale homes ${PACIFICO} pacifico`}, 1, ${NOW})`;
  expect(await refreshMarketFigures(sql, NOW)).toBe(3);
  const known = { place: PACIFICO, name: "Pacífico", operation: "sale" };
  expect(await figures()).toEqual([
    { ...known, band: "50-79", seen: 5, median: 4000, low: 3500, high: 4500, days: 6, gone: 5, cut: 40 },
    { ...known, band: "all", seen: 7, median: 4500, low: 3750, high: 5500, days: 6, gone: 5, cut: 33 },
    expect.objectContaining({
      place: "name:getafe",
      name: "Getafe",
      band: "all",
      seen: 5,
      days: null,
      cut: 0,
    }),
  ]);

  await sql`update watch.portal_listings set last_seen_at = ${new Date(NOW.getTime() - 91 * DAY_MS)} where listing_id in ('1', 'nonsense1')`;
  await refreshMarketFigures(sql, NOW);
  expect((await figures()).map(({ band, seen }) => [band, seen])).toEqual([["all", 6]]);
});
