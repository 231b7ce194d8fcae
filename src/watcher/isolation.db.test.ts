import { expect, test } from "vitest";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { setAside } from "./rows/quarantine.ts";
import { createWatchTasks } from "./watch-tasks.ts";

const MADRID = "https://www.idealista.com/venta-viviendas/madrid-madrid/";
const BARCELONA = "https://www.idealista.com/venta-viviendas/barcelona-barcelona/";
const story = storyForTests(3_000);

/** Throws in the database for one row, as a constraint or our bug would. */
async function breakRow(table: string, condition: string): Promise<void> {
  await story.sql.unsafe(`
    create function public.broken_row() returns trigger language plpgsql as $$
    begin
      if ${condition} then raise exception 'this row is broken'; end if;
      return new;
    end $$;
    create trigger breaks before insert or update on ${table} for each row execute function public.broken_row();`);
}

const quietly = (warnings: string[] = []) =>
  createWatchTasks({
    sql: story.sql,
    sources: sourcesOf({ portal: story.portal, now: story.clock.now, only: "official" }),
    checkIntervalSeconds: 600,
    now: story.clock.now,
    logger: { ...silentLogger, error: (_, message) => warnings.push(message) },
  });

const setAsides = async () =>
  await story.sql<{ kind: string; subject: string; reason: string; tries: number }[]>`
    select kind, subject, reason, tries from watch.quarantine order by kind`;

test("COVER-05 a search that cannot be compiled is set aside, and the others are compiled, checked and told", async () => {
  const people = await addPeople(
    story.sql,
    [MADRID, BARCELONA, MADRID, BARCELONA, MADRID].map((url) => ({ url })),
  );
  const broken = people[2]?.filterId ?? "";
  await breakRow("watch.compiled_searches", `new.filter_id = '${broken}'`);
  const said: string[] = [];
  const watch = quietly(said);
  await runDue(watch);
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(4);
  expect(await setAsides()).toEqual([
    { kind: "search", subject: broken, reason: expect.stringContaining("this row is broken"), tries: 1 },
  ]);
  expect(said).toHaveLength(1);
  // It is not tried before its time, and then in growing steps.
  for (const [minutes, tries] of [
    [0.5, 1],
    [1, 2],
    [1, 2],
    [4, 3],
  ] as const) {
    story.clock.advance(minutes * 60_000);
    await runDue(watch);
    expect((await setAsides())[0]?.tries).toBe(tries);
  }
  await story.sql`drop trigger breaks on watch.compiled_searches`;
  story.clock.advance(17 * 60_000);
  await runDue(watch);
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(5);
  expect(await setAsides()).toEqual([]);
});

test("COVER-05 a search that cannot be started is set aside, and its feed is checked for the others", async () => {
  const people = await addPeople(
    story.sql,
    [MADRID, MADRID, MADRID].map((url) => ({ url })),
  );
  await breakRow("watch.alerts", `new.kind = 'watch-started' and new.user_id = '${people[1]?.userId}'`);
  const watch = quietly();
  await runDue(watch);
  expect((await alertsOf(story.sql, ["watch-started"])).map(({ userId }) => userId).toSorted()).toEqual(
    [people[0]?.userId, people[2]?.userId].toSorted(),
  );
  expect(await setAsides()).toMatchObject([{ kind: "search", subject: people[1]?.filterId }]);
  const code = story.publish(MADRID);
  story.clock.advance(660_000);
  await runDue(watch);
  expect(await story.kindsOf(code)).toEqual(["new", "new"]);
});

test("COVER-05 an advert that cannot be stored is set aside, and those above and below it are told", async () => {
  await addPeople(story.sql, [{ url: MADRID }]);
  const watch = quietly();
  await runDue(watch);
  const [below, broken, above] = [story.publish(MADRID), story.publish(MADRID), story.publish(MADRID)];
  await breakRow("watch.portal_listings", `new.listing_id = '${broken}'`);
  for (let round = 0; round < 2; round += 1) {
    story.clock.advance(660_000);
    await runDue(watch);
  }
  expect(await story.kindsOf(below)).toEqual(["new"]);
  expect(await story.kindsOf(above)).toEqual(["new"]);
  expect(await setAsides()).toMatchObject([{ kind: "advert", subject: broken }]);
  await story.sql`drop trigger breaks on watch.portal_listings`;
  for (let round = 0; round < 20 && (await setAsides()).length > 0; round += 1) {
    story.clock.advance(660_000);
    await runDue(watch);
  }
  expect(await story.kindsOf(broken)).toEqual(["new"]);
});

test("COVER-05 a feed whose check throws is tried in growing steps, and the others are checked", async () => {
  await addPeople(story.sql, [{ url: MADRID }, { url: BARCELONA }]);
  const watch = quietly();
  await runDue(watch);
  const [key = ""] = await story.sql<
    { key: string }[]
  >`select key from watch.feeds where key like '%-08-%'`.then((rows) => rows.map((row) => row.key));
  await breakRow("watch.feeds", `new.key = '${key}' and new.last_ok_at is distinct from old.last_ok_at`);
  const code = story.publish(MADRID);
  let thrown = 0;
  for (let minute = 0; minute < 60; minute += 1) {
    story.clock.advance(60_000);
    await watch.compile();
    for (const due of await watch.findDue(10)) {
      await watch.check(due, new AbortController().signal).catch(() => {
        thrown += 1;
      });
    }
  }
  expect(await story.kindsOf(code)).toEqual(["new"]);
  expect(thrown).toBeGreaterThan(1);
  expect(thrown).toBeLessThan(6);
  expect(await setAsides()).toMatchObject([{ kind: "feed", subject: key, tries: thrown }]);
});

test("COVER-05 three adverts with long wide texts do not exceed what an alert may hold", async () => {
  const wide = "寬".repeat(500);
  for (let n = 0; n < 3; n += 1) {
    story.publish(MADRID, { title: wide, address: wide, neighborhood: wide, district: wide });
  }
  await addPeople(story.sql, [{ url: MADRID }]);
  await runDue(quietly());
  expect(await setAsides()).toEqual([]);
  const [started] = await alertsOf(story.sql, ["watch-started"]);
  expect(started?.payload.newest).toHaveLength(3);
});

test("COVER-05 a set aside search with another link is tried at once", async () => {
  const [person] = await addPeople(story.sql, [{ url: MADRID }]);
  const subject = person?.filterId ?? "";
  await setAside(
    story.sql,
    { kind: "search", subject, version: MADRID, error: new Error("broken") },
    new Date(story.clock.now()),
  );
  const watch = quietly();
  await runDue(watch);
  expect(await alertsOf(story.sql, ["watch-started"])).toEqual([]);
  await story.sql`update public.searches set filter_url = ${BARCELONA} where id = ${subject}`;
  await runDue(watch);
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(1);
  expect(await setAsides()).toEqual([]);
});

/** Runs what is due every so many minutes, with an advert before each. Returns the adverts. */
async function runFor(
  watch: ReturnType<typeof quietly>,
  { hours, every = 10 }: { hours: number; every?: number },
) {
  const codes: string[] = [];
  for (let minute = 0; minute < hours * 60; minute += every) {
    codes.push(story.publish(MADRID));
    story.clock.advance(every * 60_000);
    await runDue(watch);
  }
  return codes;
}

test("COVER-05 a step of planning that throws is tried again in growing steps, and everything else goes on", async () => {
  await addPeople(story.sql, [{ url: MADRID }]);
  await breakRow("public.watch_intervals", "true");
  const said: string[] = [];
  const watch = quietly(said);
  await runDue(watch);
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(1);
  const codes = await runFor(watch, { hours: 4 });
  await addPeople(story.sql, [{ url: BARCELONA }]);
  codes.push(...(await runFor(watch, { hours: 1 })));
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(2);
  expect((await alertsOf(story.sql, ["new"])).map(({ listingId }) => listingId).toSorted()).toEqual(codes);
  const [held] = await setAsides();
  expect(held).toMatchObject({ kind: "plan", subject: "intervals of official" });
  // After 0, 10, 20, 40, 100, 160, 220 and 280 minutes: the steps are 1, 4 and 16 minutes, and then an hour.
  expect(held?.tries).toBe(8);
  expect(said).toHaveLength(held?.tries ?? 0);
  await story.sql`drop trigger breaks on public.watch_intervals`;
  await runFor(watch, { hours: 1.2 });
  expect(await setAsides()).toEqual([]);
  expect(await story.sql`select from public.watch_intervals`).toHaveLength(1);
});

test("COVER-05 a plan of the day that throws is made as soon as its cause is gone, not a day later", async () => {
  await addPeople(story.sql, [{ url: MADRID }]);
  const watch = quietly();
  await story.sql`
    insert into watch.feeds (key, source, query, interval_seconds, next_check_at, live_since)
    values ('unreadable', 'official', '{}', 600, 'infinity', now())`;
  // Planning of searches leaves it alone: no search needs it.
  await watch.setIntervals();
  expect(await setAsides()).toMatchObject([{ kind: "plan", subject: "merges", tries: 1 }]);
  await story.sql`delete from watch.feeds where key = 'unreadable'`;
  story.clock.advance(30_000);
  await watch.setIntervals();
  expect(await setAsides()).toHaveLength(1);
  story.clock.advance(31_000);
  await watch.setIntervals();
  expect(await setAsides()).toEqual([]);
});

test("COVER-05 a demo that cannot be planned stops no search", async () => {
  await addPeople(
    story.sql,
    [MADRID, BARCELONA, MADRID, BARCELONA, MADRID].map((url) => ({ url })),
  );
  await breakRow("watch.demo_filters", "true");
  const said: string[] = [];
  const watch = createWatchTasks({
    sql: story.sql,
    sources: sourcesOf({ portal: story.portal, now: story.clock.now, only: "official" }),
    checkIntervalSeconds: 600,
    demoFilter: { filterId: "00000000-0000-4000-8000-00000000d000", filterUrl: MADRID },
    now: story.clock.now,
    logger: { ...silentLogger, error: (_, message) => said.push(message) },
  });
  await runDue(watch);
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(5);
  expect(await setAsides()).toMatchObject([{ kind: "plan", subject: "demo" }]);
  expect(said).toHaveLength(1);
});

test("COVER-05 searches that all throw for a cause outside of them are tried again in growing steps, and then all start", async () => {
  await addPeople(
    story.sql,
    [MADRID, BARCELONA, MADRID, BARCELONA, MADRID].map((url) => ({ url })),
  );
  await breakRow("watch.compiled_searches", "true");
  const said: string[] = [];
  const watch = quietly(said);
  for (let minute = 0; minute < 30; minute += 1) {
    await runDue(watch);
    story.clock.advance(60_000);
  }
  expect(await setAsides()).toMatchObject([{ kind: "plan", subject: "searches", tries: 4 }]);
  expect(said).toHaveLength(4);
  await story.sql`drop trigger breaks on watch.compiled_searches`;
  story.clock.advance(3_600_000);
  await runDue(watch);
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(5);
  expect(await setAsides()).toEqual([]);
});
