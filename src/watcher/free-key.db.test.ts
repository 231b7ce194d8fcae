// A month on a free key, from the portal to the alert, as people with several towns see it.
import { expect, test } from "vitest";
import { nextMonthOf } from "#core/ports/request-budget.ts";
import { type Random, seeded } from "#test/seeded.ts";
import { FREE_KEY, freeKey } from "#test/watching/free-key.ts";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";
import type { WatchTasks } from "./watch-tasks.ts";

const TOWNS = ["getafe-madrid", "alcobendas-madrid", "leganes-madrid"].map(
  (town) => `https://www.idealista.com/venta-viviendas/${town}/`,
);
const HOUR_MS = 3_600_000;
const DAYS = 29;
/** The market of the province: what a feed for all of it would have to read. */
const OTHERS_PER_DAY = 180;
const story = storyForTests(3_000);

const addSearch = (userId: string, url: string | undefined) => story.sql`
  insert into public.searches (user_id, filter_url, receiver_ids)
  select user_id, ${url ?? ""}, receiver_ids from public.searches where user_id = ${userId} limit 1`;

const liveFeeds = async () =>
  (await story.sql<{ key: string }[]>`select key from watch.feeds where idle_since is null order by key`).map(
    ({ key }) => key,
  );
const intervalOf = async (filterId: string): Promise<number> => {
  const [row] = await story.sql`select watch.state_of_search(${filterId}) as state`;
  return row?.state.interval_seconds;
};

test.each([
  ["saved at once", [0, 0, 0]],
  ["saved one after the other", [0, 1, 6]],
])(
  "COVER-04 a free key serves one person's three towns for a month, %s: at most a twentieth is untold, and each gap is told",
  { tags: "long" },
  async (_, savedOn) => {
    story.clock.advance(nextMonthOf(story.clock.now()) - story.clock.now() + HOUR_MS);
    story.portal.ledger.clear();
    const watch = freeKey(story);
    const [person] = await addPeople(story.sql, [{ url: TOWNS[0] ?? "" }]);
    const userId = person?.userId ?? "";
    const published: { code: string; at: number }[] = [];
    for (let hour = 0; hour < DAYS * 24; hour += 6) {
      const due = TOWNS.filter((_, n) => n > 0 && hour === (savedOn[n] ?? 0) * 24);
      for (const url of due) await addSearch(userId, url);
      const isOver = hour >= (DAYS - 4) * 24;
      const watched = TOWNS.filter((_, n) => !isOver && hour > ((savedOn[n] ?? 0) + 1) * 24);
      if (hour % 18 === 0)
        published.push(...watched.map((url) => ({ code: story.publish(url), at: story.clock.now() })));
      for (let n = 0; n < OTHERS_PER_DAY / 4; n++)
        story.publish("https://www.idealista.com/venta-viviendas/madrid-madrid/");
      await runDue(watch);
      await runDue(watch);
      story.clock.advance(6 * HOUR_MS);
    }
    const told = new Set((await alertsOf(story.sql, ["new"])).map(({ listingId }) => listingId));
    const gaps = (await alertsOf(story.sql, ["gap"])).map(
      ({ payload }) => payload as { fromMs: number; untilMs: number },
    );
    const missed = published.filter(({ code }) => !told.has(code));
    const silent = missed.filter(
      ({ at }) => !gaps.some(({ fromMs, untilMs }) => at >= fromMs && at <= untilMs),
    );
    expect(silent).toEqual([]);
    expect(missed.length).toBeLessThanOrEqual(published.length / 20);
    expect(await liveFeeds()).toHaveLength(3);
    const used = story.portal.ledger.count("search");
    expect(used).toBeLessThanOrEqual(FREE_KEY);
    expect(used).toBeGreaterThan(FREE_KEY * 0.6);
    expect(await alertsOf(story.sql, ["source-down"])).toEqual([]);
  },
);

test("COVER-04 on a free key others who come do not make anybody's interval longer, and have one of their own", {
  tags: "long",
}, async () => {
  story.clock.advance(nextMonthOf(story.clock.now()) - story.clock.now() + HOUR_MS);
  const watch = freeKey(story);
  const people: string[] = [];
  const longest = new Map<string, number>();
  for (let day = 0; day < 40; day++) {
    if ([0, 3, 5, 8, 20].includes(day)) {
      const place = [
        "getafe-madrid",
        "barcelona-barcelona",
        "madrid-provincia",
        "sevilla-sevilla",
        "leganes-madrid",
      ];
      const url = `https://www.idealista.com/venta-viviendas/${place[people.length]}/`;
      people.push(...(await addPeople(story.sql, [{ url }])).map(({ filterId }) => filterId));
    }
    for (let turn = 0; turn < 4; turn++) {
      await runDue(watch);
      for (const filterId of people) {
        const seconds = await intervalOf(filterId);
        if (seconds === null) continue;
        expect(seconds).toBeLessThanOrEqual(longest.get(filterId) ?? Number.POSITIVE_INFINITY);
        longest.set(filterId, Math.min(seconds, longest.get(filterId) ?? Number.POSITIVE_INFINITY));
      }
      story.clock.advance(6 * HOUR_MS);
    }
  }
  expect(longest.get(people[0] ?? "")).toBeLessThan(24 * 3_600);
});

test("COVER-04 COVER-01 feeds that were merged are divided when the requests become few, and nothing is lost or told twice", async () => {
  story.clock.advance(nextMonthOf(story.clock.now()) - story.clock.now() + HOUR_MS);
  const [person] = await addPeople(
    story.sql,
    TOWNS.slice(0, 1).map((url) => ({ url, otherUrls: TOWNS.slice(1) })),
  );
  await story.round();
  expect(await liveFeeds()).toEqual(["official sale homes 0-EU-ES-28"]);
  for (let n = 0; n < 80; n++) story.publish("https://www.idealista.com/venta-viviendas/madrid-madrid/");
  const codes = TOWNS.map((url) => story.publish(url));
  await story.round();
  await story.sql`update watch.feeds set adverts_per_hour = 8, observed_hours = 72`;
  const poor = freeKey(story, 20);
  const later = TOWNS.map((url) => story.publish(url));
  for (let n = 0; n < 3; n++) await runDue(poor);
  expect(await liveFeeds()).toHaveLength(3);
  const last = TOWNS.map((url) => story.publish(url));
  for (let n = 0; n < 8; n++) {
    story.clock.advance(5 * 24 * HOUR_MS);
    await runDue(poor);
  }
  const told = (await alertsOf(story.sql, ["new"])).filter(({ userId }) => userId === person?.userId);
  const all = [...codes, ...later, ...last];
  expect(told.map(({ listingId }) => listingId).toSorted()).toEqual(all.toSorted());
  expect(await alertsOf(story.sql, ["gap"])).toEqual([]);
  // With many requests again.
  const rich = story.rounds({ only: "official" });
  story.clock.advance(HOUR_MS);
  const next = story.publish(TOWNS[1] ?? "");
  for (let n = 0; n < 3; n++) await runDue(rich);
  expect(await liveFeeds()).toEqual(["official sale homes 0-EU-ES-28"]);
  expect((await alertsOf(story.sql, ["new"])).map(({ listingId }) => listingId)).toContain(next);
  expect(await alertsOf(story.sql, ["gap"])).toEqual([]);
});

test("COVER-04 COVER-01 a search that is paused every night is checked every day, and a resume is no first check", async () => {
  story.clock.advance(nextMonthOf(story.clock.now()) - story.clock.now() + HOUR_MS);
  const watch = freeKey(story);
  const url = TOWNS[0] ?? "";
  const [person] = await addPeople(story.sql, [{ url }]);
  const setPaused = (isPaused: boolean) => story.sql`update public.searches set is_paused = ${isPaused}`;
  await runDue(watch);
  await runDue(watch);
  const codes: string[] = [];
  for (let day = 0; day < 20; day++) {
    if (day < 18) codes.push(story.publish(url));
    for (let turn = 0; turn < 4; turn++) {
      await setPaused(turn === 3);
      await runDue(watch);
      const waits = await story.sql`select from watch.waiting_searches`;
      expect(waits).toHaveLength(0);
      story.clock.advance(6 * HOUR_MS);
    }
  }
  const told = (await alertsOf(story.sql, ["new"])).filter(({ userId }) => userId === person?.userId);
  expect(told.map(({ listingId }) => listingId).toSorted()).toEqual(codes.toSorted());
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(1);
  const days = await story.sql`select distinct created_at::date from watch.alerts where kind = 'new'`;
  expect(days.length).toBeGreaterThan(12);
});

test("COVER-03 COVER-04 with a free key, a home that enters below the top of the list is alerted within a week, and the requests last the month", async () => {
  story.clock.advance(nextMonthOf(story.clock.now()) - story.clock.now() + HOUR_MS);
  story.portal.ledger.clear();
  const watch = freeKey(story);
  const url = "https://www.idealista.com/venta-viviendas/madrid/retiro/";
  const [person] = await addPeople(story.sql, [{ url }]);
  const { market } = story.portal;
  const list = () => [...market.select("sale", "homes", "0-EU-ES-28-07-001-079-03")].toReversed();
  const day = async () => {
    for (let turn = 0; turn < 4; turn++) {
      await runDue(watch);
      await runDue(watch);
      story.clock.advance(6 * HOUR_MS);
    }
  };
  const toldOf = async (code: string) => (await story.kindsOf(code)).includes("new");
  while (list().length < 160) story.publish(url);
  for (let n = 0; n < 8; n++) await day();
  const days: number[] = [];
  for (const place of [70, 120, 145]) {
    const code = story.publish(url);
    const [other, gone] = [list()[place], list()[place + 3]];
    if (!other || !gone) throw new Error("the list is too short");
    market.swap(story.advert(code), other);
    // The list gets no longer by it.
    market.withdraw(gone);
    let passed = 0;
    while (passed < 10 && !(await toldOf(code))) {
      await day();
      passed += 1;
    }
    days.push(passed);
  }
  expect(Math.max(...days)).toBeLessThanOrEqual(7);
  const alerts = await alertsOf(story.sql, ["new", "gap", "source-down"]);
  expect(alerts.filter(({ userId }) => userId === person?.userId)).toHaveLength(3);
  expect(story.portal.ledger.count("search")).toBeLessThanOrEqual(FREE_KEY);
});

test.each([3])(
  "COVER-04 COVER-02 a free key with towns far apart, outages, refusals and bursts lasts the month: at most a twentieth is untold, and each gap is told (seed %i)",
  async (seed) => {
    const random = seeded(seed);
    story.clock.advance(nextMonthOf(story.clock.now()) - story.clock.now() + HOUR_MS);
    story.portal.ledger.clear();
    const watch = freeKey(story);
    const urls = ["getafe-madrid", "alcobendas-madrid", "barcelona/eixample"].map(
      (town) => `https://www.idealista.com/venta-viviendas/${town}/con-precio-hasta_900000/`,
    );
    await addPeople(story.sql, [{ url: urls[0] ?? "", otherUrls: urls.slice(1) }]);
    const { published, checkedAt } = await liveMonth(watch, urls, random);
    story.portal.faults.clear();
    const told = new Set((await alertsOf(story.sql, ["new"])).map(({ listingId }) => listingId));
    const gaps = (await alertsOf(story.sql, ["gap", "source-up"])).map(
      ({ payload }) => payload as { fromMs?: number; sinceMs?: number; untilMs: number },
    );
    const missed = published.filter(({ code }) => !told.has(code));
    const silent = missed.filter(
      ({ at }) =>
        !gaps.some(({ fromMs, sinceMs, untilMs }) => at >= (fromMs ?? sinceMs ?? 0) && at <= untilMs),
    );
    expect(published.length).toBeGreaterThan(30);
    expect(silent).toEqual([]);
    expect(missed.length).toBeLessThanOrEqual(published.length / 20);
    expect(await story.sql`select used <= ${FREE_KEY} as lasts from watch.request_budgets`).toEqual([
      { lasts: true },
    ]);
    // Until the month's end, and not only at its beginning.
    expect(checkedAt.filter((hour) => hour >= (DAYS - 4) * 24).length).toBeGreaterThan(1);
  },
);

/** Six hours at a time: bursts of homes, refusals and errors of the source for up to a day. */
async function liveMonth(watch: WatchTasks, urls: readonly string[], random: Random) {
  const { clock, portal } = story;
  const published: { code: string; at: number }[] = [];
  const checkedAt: number[] = [];
  let troubleUntil = 0;
  const begins = (from: number, until: number, hour: number, share: number) =>
    hour > from * 24 && hour < until * 24 && random() < share;
  for (let hour = 0; hour < DAYS * 24; hour += 6) {
    if (clock.now() >= troubleUntil) portal.faults.clear();
    if (begins(2, DAYS - 6, hour, 0.04)) {
      troubleUntil = clock.now() + Math.ceil(random() * 4) * 6 * HOUR_MS;
      portal.faults.set({ fault: random() < 0.5 ? "rate-limited" : "server-error" });
    }
    const url = urls[Math.floor(random() * urls.length)] ?? "";
    const count = begins(1, DAYS - 5, hour, 0.4) ? Math.ceil(random() * 4) : 0;
    const codes = Array.from({ length: count }, () => story.publish(url, { priceEur: 300_000 }));
    published.push(...codes.map((code) => ({ code, at: clock.now() })));
    const before = portal.ledger.count("search");
    await runDue(watch);
    await runDue(watch);
    if (portal.ledger.count("search") > before) checkedAt.push(hour);
    clock.advance(6 * HOUR_MS);
  }
  return { published, checkedAt };
}
