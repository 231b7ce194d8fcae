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
    story.publish(MADRID, { title: wide, address: wide, neighborhood: wide, district: wide, subtitle: wide });
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
