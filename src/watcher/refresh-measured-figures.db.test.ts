import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MeasuredFigures } from "#core/figures/measured-figures.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { refreshMeasuredFigures } from "./refresh-measured-figures.ts";

const NOW = new Date("2026-11-16T12:00:00Z");
const DAY = 86_400_000;
const MADRID = "0-EU-ES-28-07-001-079";
const GOYA = `${MADRID}-04-002`;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY);

let product: TestProduct;
let user = "";

beforeAll(async () => {
  product = await startTestProduct({ API_REQUESTS_PER_MINUTE_PER_ADDRESS: "60" });
  const { sql } = product.database;
  user = randomUUID();
  await sql`insert into auth.users (id, email) values (${user}, 'ana@example.com')`;
  await sql`
    insert into watch.feeds (key, source, query, interval_seconds, idle_since) values
      ('live', 'official', '{}', 600, null), ('idle', 'official', '{}', 600, ${daysAgo(2)})`;
});
afterAll(() => product.stop());

const read = async () =>
  (await product.createClient().rpc("measured_figures")).data as MeasuredFigures | null;

async function addAlert(source: string, seconds: number, { days = 2, isHeld = false } = {}) {
  const seenAt = daysAgo(days);
  await product.database.sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, source, seen_at, created_at, sent_at, held_at, state)
    values (${user}, 7, 'new', ${randomUUID()}, '{}', ${source}, ${seenAt}, ${seenAt},
      ${new Date(seenAt.getTime() + seconds * 1000)}, ${isHeld ? seenAt : null}, 'sent')`;
}

interface SeenHome {
  code: string;
  days: number;
  goneAfterDays?: number;
  feed?: "live" | "idle";
  home?: string;
  isAnnounced?: boolean;
}

async function addHome({
  code,
  days,
  goneAfterDays,
  feed = "live",
  home = code,
  isAnnounced = true,
}: SeenHome) {
  const { sql } = product.database;
  const goneAt = goneAfterDays === undefined ? null : daysAgo(days - goneAfterDays);
  await sql`
    insert into watch.portal_listings (listing_id, listing, card, price_eur, home_id, place_id, first_seen_at, last_seen_at, gone_at)
    values (${code}, '{}', '{"kind": "homes", "operation": "rent"}', 900, ${home}, ${GOYA}, ${daysAgo(days)}, ${NOW}, ${goneAt})`;
  await sql`
    insert into watch.feed_listings (feed_key, listing_id, rank, price_eur, first_seen_at)
    values (${feed}, ${code}, 1, 900, ${daysAgo(days)})`;
  if (isAnnounced) await sql`insert into watch.sightings values (${code}, '', 'official', ${daysAgo(days)})`;
}

test("RULE-08 the page reads null before the first measurement", async () => {
  expect(await read()).toBeNull();
});

test("RULE-08 the time from a listing to Telegram's answer is measured by source, and too few say nothing", async () => {
  for (let n = 1; n <= 21; n += 1) await addAlert("official", n);
  for (let n = 1; n <= 19; n += 1) await addAlert("mail", n);
  await addAlert("official", 9_000, { isHeld: true });
  await addAlert("official", 9_000, { days: 31 });
  await refreshMeasuredFigures(product.database.sql, NOW);
  const figures = await read();
  expect(figures?.measured_at).toMatch(/^2026-11-16T12:00:00/);
  expect(figures?.latencies).toEqual([
    { source: "official", count: 21, p50_seconds: 11, p95_seconds: 20 },
    { source: "by-url", count: 0, p50_seconds: null, p95_seconds: null },
    { source: "mail", count: 19, p50_seconds: null, p95_seconds: null },
  ]);
});

test("RULE-08 how long homes stay is measured by zone, of homes that could be followed from the start", async () => {
  // 20 homes of the last weeks: 5 gone within a day, 10 within a week.
  for (let n = 0; n < 20; n += 1) {
    const goneAfterDays = n < 5 ? 0.5 : n < 10 ? 3 : n < 12 ? 8 : undefined;
    await addHome({ code: `old-${n}`, days: 20, ...(goneAfterDays && { goneAfterDays }) });
  }
  // Five more of the last days, one of them gone: they say nothing about a week.
  for (let n = 0; n < 5; n += 1) {
    await addHome({ code: `young-${n}`, days: 3, ...(n === 0 && { goneAfterDays: 0.2 }) });
  }
  // Not counted: younger than a day, older than 30 days, of a feed that is checked no more, never announced as new.
  await addHome({ code: "today", days: 0.5, goneAfterDays: 0.1 });
  await addHome({ code: "ancient", days: 31, goneAfterDays: 0.1 });
  await addHome({ code: "lost", days: 20, goneAfterDays: 0.1, feed: "idle" });
  await addHome({ code: "there-before", days: 20, goneAfterDays: 0.1, isAnnounced: false });
  // A second advert of a home: the home is still on offer.
  await addHome({ code: "again", days: 19, home: "old-0" });
  await refreshMeasuredFigures(product.database.sql, NOW);
  const stay = {
    operation: "rent",
    day_count: 25,
    week_count: 20,
    gone_in_day_percent: 20,
    gone_in_week_percent: 45,
  };
  expect((await read())?.stays).toEqual([
    { ...stay, place_id: MADRID, place: "Madrid" },
    { ...stay, place_id: GOYA, place: "Goya" },
  ]);

  const { sql } = product.database;
  await sql`delete from watch.sightings where listing_id like 'young-%' or listing_id in ('old-1', 'old-2')`;
  await refreshMeasuredFigures(sql, NOW);
  const [few] = (await read())?.stays ?? [];
  expect(few).toMatchObject({ day_count: 18, gone_in_day_percent: null, gone_in_week_percent: null });
  await sql`delete from watch.sightings where listing_id not in ('old-3', 'old-4', 'old-5', 'old-6')`;
  await refreshMeasuredFigures(sql, NOW);
  expect((await read())?.stays).toEqual([]);
});

test("RULE-08 a guest's requests are limited as everywhere, and compute nothing", async () => {
  const { sql } = product.database;
  const [plan] = await sql<{ source: string }[]>`
    select prosrc as source from pg_proc where proname = 'measured_figures'`;
  expect(plan?.source).not.toMatch(/alerts|sightings|portal_listings|count\(|percentile/);
  const guest = product.createClient();
  const answers = await Promise.all(Array.from({ length: 100 }, () => guest.rpc("measured_figures")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
});
