import { expect, test } from "vitest";
import { SourceError } from "#core/ports/source.ts";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createWatchTasks } from "../watch-tasks.ts";

const RETIRO = "https://www.idealista.com/venta-viviendas/madrid/retiro/con-precio-hasta_900000/";
const PAGE = 50;
const story = storyForTests(1_000);

/** A watcher; `onPage` is called before each page is read. */
function watcherWith(onPage: (number: number) => Promise<void>) {
  const { official } = sourcesOf({ portal: story.portal, now: story.clock.now, only: "official" });
  if (!official) throw new Error("The official source is missing");
  const { source } = official;
  const readPage: typeof source.readPage = async (query, window, signal) => {
    await onPage(window.number);
    return source.readPage(query, window, signal);
  };
  return createWatchTasks({
    sql: story.sql,
    sources: { official: { ...official, source: { ...source, readPage } } },
    checkIntervalSeconds: 600,
    now: story.clock.now,
    logger: silentLogger,
  });
}

const found = async () => (await alertsOf(story.sql, ["new"])).map(({ listingId }) => listingId ?? "");

test("WATCH-02 the alerts of a page are written before the next is read, and once, although the reading then fails", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round(watcherWith(async () => {}));
  const codes = Array.from({ length: PAGE + 10 }, () => story.publish(RETIRO, { priceEur: 800_000 }));
  const newest = codes.slice(-PAGE).sort();
  const failing = watcherWith(async (number) => {
    if (number === 2) throw new SourceError("official", "unreachable");
  });
  const outcomes = await runDue(failing);
  expect(outcomes).toEqual([{ outcome: "failed", reason: "unreachable" }]);
  expect((await found()).sort()).toEqual(newest);
  story.clock.advance(3_600_000);
  const [checked] = await runDue(watcherWith(async () => {}));
  expect(checked).toMatchObject({ outcome: "checked", fresh: codes.length, alerts: 10 });
  expect((await found()).sort()).toEqual(codes.toSorted());
});

const inOrder = async () =>
  (await story.sql`select listing_id from watch.alerts where kind = 'new' order by position`).map(
    ({ listing_id }) => String(listing_id),
  );
const due = async () =>
  (
    await story.sql`
      select from watch.alerts where kind = 'new' and not_before <= ${new Date(story.clock.now())}`
  ).length;

test("WATCH-02 a chat gets the oldest home first, however many pages were new; none is sent before the last page is read", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round(watcherWith(async () => {}));
  const codes = Array.from({ length: 2 * PAGE + 10 }, () => story.publish(RETIRO, { priceEur: 800_000 }));
  const seen: [pages: number, written: number, due: number][] = [];
  await runDue(
    watcherWith(async (number) => {
      if (number > 1) seen.push([number, (await found()).length, await due()]);
    }),
  );
  expect(seen.slice(0, 2)).toEqual([
    [2, PAGE, 0],
    // Its second page has one home less, and shares one with the first.
    [3, 2 * PAGE - 2, 0],
  ]);
  expect(await inOrder()).toEqual(codes);
  expect(await due()).toBe(codes.length);
});

test("WATCH-02 after a check that failed or died between pages its alerts are sent, the oldest first", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round(watcherWith(async () => {}));
  const codes = Array.from({ length: 3 * PAGE }, () => story.publish(RETIRO, { priceEur: 800_000 }));
  const failing = watcherWith(async (number) => {
    if (number === 3) throw new SourceError("official", "unreachable");
  });
  await runDue(failing);
  const told = await inOrder();
  expect(told).toEqual(codes.slice(-told.length));
  expect(await due()).toBe(told.length);
});

test("MANY-02 a search that joins the feed between two pages misses nothing, and no alert is doubled", async () => {
  const [ana] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round(watcherWith(async () => {}));
  const codes = Array.from({ length: PAGE + 10 }, () => story.publish(RETIRO, { priceEur: 800_000 }));
  let second: string | undefined;
  const joining = watcherWith(async (number) => {
    if (number !== 2 || second) return;
    const [row] = await story.sql`
      with added as (
        insert into public.searches (user_id, filter_url, receiver_ids)
        select user_id, filter_url, receiver_ids from public.searches where id = ${ana?.filterId ?? ""} returning id
      ) select id from added`;
    second = String(row?.id);
    await joining.compile([second]);
    await story.sql`
      update watch.compiled_searches set baseline_at = ${new Date(story.clock.now())} where filter_id = ${second}`;
  });
  await runDue(joining);
  expect((await found()).sort()).toEqual(codes.toSorted());
  const named = await story.sql`
    select distinct (select jsonb_agg(id order by id) from unnest(search_ids) as id) as ids
    from watch.alerts where kind = 'new'`;
  expect(named.map(({ ids }) => ids)).toEqual([[ana?.filterId, second].sort()]);
});

test("COVER-01 a search that starts on the feed between two pages of a check misses nothing, and no alert is doubled", async () => {
  const [ana] = await addPeople(story.sql, [{ url: RETIRO }]);
  await runDue(watcherWith(async () => {}));
  story.clock.advance(300_000);
  const [second] = await addPeople(story.sql, [{ url: RETIRO }]);
  const starting = watcherWith(async (number) => {
    if (number === 2) await starting.join();
  });
  await starting.compile();
  const codes = Array.from({ length: PAGE + 10 }, () => story.publish(RETIRO, { priceEur: 800_000 }));
  // It is due sooner than after its interval.
  await story.sql`update watch.feeds set next_check_at = ${new Date(story.clock.now())}`;
  for (const key of await starting.findDue(1)) await starting.check(key, new AbortController().signal);
  const alerts = await alertsOf(story.sql, ["new"]);
  for (const person of [ana, second]) {
    const codesOf = alerts
      .filter(({ userId }) => userId === person?.userId)
      .map(({ listingId }) => listingId);
    expect(codesOf.toSorted()).toEqual(codes.toSorted());
  }
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(2);
});
