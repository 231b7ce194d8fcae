import { expect, test } from "vitest";
import { nextMonthOf } from "#core/ports/request-budget.ts";
import { DEMO_FILTER_ID } from "#core/search/demo-filter.ts";
import { watchStatesOf } from "#telegram/bot/rows/watch-state.ts";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { BUDGET_NAMES, createRequestBudget } from "./rows/feeds/request-budget.ts";
import { readSourceIntervals } from "./rows/feeds/source-intervals.ts";
import { createWatchTasks, type WatchTasks } from "./watch-tasks.ts";

const SITE = "https://www.idealista.com";
/** Each is a feed of its own. */
const FIVE = [
  "venta-viviendas/barcelona-barcelona",
  "alquiler-viviendas/barcelona-barcelona",
  "venta-viviendas/valencia-valencia",
  "alquiler-viviendas/valencia-valencia",
  "venta-oficinas/barcelona-barcelona",
].map((path) => `${SITE}/${path}/`);
const SIXTH = `${SITE}/alquiler-oficinas/valencia-valencia/`;
const HOUR_MS = 3_600_000;
const FREE_KEY = 100;
const story = storyForTests(3_000);

const firstStateOf = async (userId: string) => (await watchStatesOf(story.sql, userId))[0];

/** A process with a monthly quota. */
function processOf(monthlyRequests: number, said: string[] = []): WatchTasks {
  const { now } = story.clock;
  const budget = createRequestBudget({ sql: story.sql, name: BUDGET_NAMES.official, monthlyRequests, now });
  const demoUrl = `${SITE}/alquiler-viviendas/madrid-madrid/`;
  return createWatchTasks({
    sql: story.sql,
    sources: sourcesOf({
      portal: story.portal,
      now,
      budget,
      monthlyRequests,
      only: "official",
      sleep: async () => {},
    }),
    checkIntervalSeconds: 600,
    demoFilter: { filterId: DEMO_FILTER_ID, filterUrl: demoUrl },
    now,
    logger: { ...silentLogger, warn: (_, message) => said.push(message) },
  });
}

/** A month in the future, because the database compares with its own clock. */
function aMonth(): { begins: number; ends: number } {
  const begins = nextMonthOf(Math.max(story.clock.now(), Date.now()));
  return { begins, ends: nextMonthOf(begins) };
}

const goTo = (moment: number) => story.clock.advance(moment - story.clock.now());
const requests = () => story.portal.ledger.count("search");
const sourceAlerts = async (kind: "source-down" | "source-up") => await alertsOf(story.sql, [kind]);

test("MAIL-10 MAIL-09 a free quota lasts the month for five filters and newcomers, and nobody is checked less often because of another", {
  tags: "long",
}, async () => {
  const said: string[] = [];
  const watch = processOf(FREE_KEY, said);
  const ends = Date.UTC(2026, 4, 1);
  goTo(Date.UTC(2026, 3, 1, 1));
  story.portal.ledger.clear();
  expect(await runDue(watch)).toEqual([]);
  const people = await addPeople(
    story.sql,
    FIVE.map((url) => ({ url })),
  );
  const intervals: number[] = [];
  const usedAt: number[] = [];
  for (let step = 0; story.clock.now() < ends - HOUR_MS; step++) {
    if (step % 6 === 3) for (const url of FIVE) story.publish(url);
    if (step === 66) people.push(...(await addPeople(story.sql, [{ url: SIXTH }])));
    await runDue(watch);
    expect((await readSourceIntervals(story.sql)).get("official")?.spentUntil).toBeNull();
    intervals.push((await firstStateOf(people[0]?.userId ?? ""))?.interval.intervalSeconds ?? 0);
    usedAt.push(requests());
    story.clock.advance(6 * HOUR_MS);
    if (step % 6 !== 0) continue;
    const states = await Promise.all(people.map(({ userId }) => firstStateOf(userId)));
    const seconds = states.map((state) => state?.interval.intervalSeconds ?? 0);
    // The sixth gets what is left.
    expect(Math.max(...seconds.slice(0, 5))).toBeLessThanOrEqual(Math.min(...seconds) * 1.5);
    expect(states.map((state) => state?.facts.baseline_at)).not.toContain(null);
  }
  const days = (count: number) => usedAt[count * 4] ?? Number.NaN;
  expect(usedAt.at(-1)).toBeLessThanOrEqual(FREE_KEY);
  expect(usedAt.at(-1)).toBeGreaterThan(60);
  expect(days(1)).toBeLessThanOrEqual(30);
  expect(days(10)).toBeLessThan(60);
  expect(days(20)).toBeGreaterThan(days(10) + 8);
  expect(Math.min(...intervals)).toBeGreaterThanOrEqual((6 * HOUR_MS) / 1000);
  const changes = intervals.filter((interval, n) => n > 0 && interval !== intervals[n - 1]).length;
  expect(changes).toBeLessThanOrEqual(12);
  expect(await sourceAlerts("source-down")).toEqual([]);
  expect(said.some((message) => message.startsWith("some expensive feeds"))).toBe(true);
  // The demo has cost nothing, because no other feed covers it.
  expect(await story.sql`select feed_key, may_cost from watch.demo_filters`).toEqual([
    { feed_key: null, may_cost: false },
  ]);
});

test("MAIL-09 everyone is notified once and immediately that the requests are spent and until when, and the next month's checks are spread", async () => {
  const said: string[] = [];
  const watch = processOf(FREE_KEY, said);
  const { begins, ends } = aMonth();
  goTo(begins + 10 * 24 * HOUR_MS);
  const [first, byMail] = await addPeople(
    story.sql,
    FIVE.map((url) => ({ url })),
  );
  await story.sql`
    insert into public.received_mails (user_id, received_at, outcome) values (${byMail?.userId ?? ""}, now(), 'alert')`;
  await runDue(watch);
  const warnings = () => said.filter((message) => message.startsWith("most of this month's"));
  expect(warnings()).toEqual([]);
  await story.sql`update watch.request_budgets set used = ${FREE_KEY * 0.8}`;
  await runDue(watch);
  await runDue(watch);
  expect(warnings()).toHaveLength(1);
  expect(await sourceAlerts("source-down")).toEqual([]);
  await story.sql`update watch.request_budgets set used = ${FREE_KEY}`;
  story.clock.advance(15_000);
  story.portal.ledger.clear();
  await runDue(watch);
  const spent = await sourceAlerts("source-down");
  expect(spent).toHaveLength(FIVE.length);
  expect(spent.find(({ userId }) => userId === first?.userId)?.payload).toEqual({
    sinceMs: story.clock.now(),
    reason: "quota-spent",
    untilMs: ends,
    isServedByMail: false,
  });
  expect(spent.find(({ userId }) => userId === byMail?.userId)?.payload).toMatchObject({
    isServedByMail: true,
  });
  expect((await firstStateOf(first?.userId ?? ""))?.interval.spentUntil).toEqual(new Date(ends));
  expect((await readSourceIntervals(story.sql)).get("official")?.spentUntil).toEqual(new Date(ends));

  const [late] = await addPeople(story.sql, [{ url: SIXTH }]);
  for (let day = 0; day < 5; day++) {
    await runDue(watch);
    story.clock.advance(24 * HOUR_MS);
  }
  expect((await sourceAlerts("source-down")).map(({ userId }) => userId).slice(FIVE.length)).toEqual([
    late?.userId,
  ]);
  expect(requests()).toBe(0);

  goTo(ends + 60_000);
  await runDue(watch);
  expect(requests()).toBeLessThan(15);
  expect((await readSourceIntervals(story.sql)).get("official")?.spentUntil).toBeNull();
  for (let hour = 0; hour < 7; hour++) {
    story.clock.advance(HOUR_MS);
    await runDue(watch);
  }
  const up = await sourceAlerts("source-up");
  expect(up).toHaveLength(FIVE.length + 1);
  expect(up[0]?.payload).toMatchObject({ reason: "quota-spent", untilMs: expect.any(Number) });
  expect(requests()).toBeLessThanOrEqual(30);
});

test("MAIL-09 a quota error of the source applies to all its feeds immediately, and is retried", async () => {
  await addPeople(
    story.sql,
    FIVE.map((url) => ({ url })),
  );
  const watch = story.rounds({ only: "official" });
  await runDue(watch);
  story.clock.advance(660_000);
  story.portal.faults.set({ fault: "quota-spent", times: 1 });
  const [key = ""] = await watch.findDue(1);
  await watch.check(key, new AbortController().signal);
  const told = await sourceAlerts("source-down");
  expect(told.map(({ payload }) => payload.reason)).toEqual(FIVE.map(() => "quota-spent"));
  for (let round = 0; round < 8; round++) {
    story.clock.advance(660_000);
    await runDue(watch);
  }
  expect(await sourceAlerts("source-down")).toHaveLength(FIVE.length);
  expect(await sourceAlerts("source-up")).toHaveLength(FIVE.length);
  expect(await story.sql`select key from watch.feeds where failing_since is not null`).toEqual([]);
});

test("MAIL-10 the demo costs nothing while there are no searches or if it would delay somebody, and otherwise has a feed", async () => {
  goTo(story.clock.now() + HOUR_MS);
  story.portal.ledger.clear();
  const rich = processOf(100_000);
  await runDue(rich);
  await runDue(rich);
  expect(requests()).toBe(0);
  const [person] = await addPeople(story.sql, [{ url: FIVE[0] ?? "" }]);
  await runDue(rich);
  await runDue(rich);
  const liveFeeds = async () =>
    (await story.sql`select key from watch.feeds where idle_since is null`).length;
  expect(await liveFeeds()).toBe(2);
  expect((await story.sql`select 1 from public.demo_listings`).length).toBe(5);
  // With fewer requests the person takes precedence.
  const poor = processOf(10_000);
  await runDue(poor);
  await runDue(poor);
  expect(await liveFeeds()).toBe(1);
  expect((await readSourceIntervals(story.sql)).get("official")?.intervalSeconds).toBe(600);
  await story.sql`delete from public.filter_settings where user_id = ${person?.userId ?? ""}`;
  await runDue(rich);
  await runDue(rich);
  expect(await liveFeeds()).toBe(0);
});
