// Changes that follow one another faster than the checks, or in the middle of troubles.
import { expect, test } from "vitest";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createWatchTasks } from "./watch-tasks.ts";

const SITE = "https://www.idealista.com/venta-viviendas";
const UNDER = (euros: number) => `${SITE}/madrid/retiro/con-precio-hasta_${euros}/`;
const MINUTES = 60_000;
const DAY = 86_400_000;
const story = storyForTests(3_000);

const told = async (kinds: readonly string[] = ["new"], userId?: string) =>
  (await alertsOf(story.sql, kinds))
    .filter((alert) => userId === undefined || alert.userId === userId)
    .map(({ listingId }) => listingId ?? "")
    .toSorted();
const publish = (count: number, priceEur = 500_000) =>
  Array.from({ length: count }, () => story.publish(UNDER(2_000_000), { priceEur })).toSorted();
const setLink = (euros: number) => story.sql`update public.searches set filter_url = ${UNDER(euros)}`;
const setPaused = (isPaused: boolean) => story.sql`update public.searches set is_paused = ${isPaused}`;
const setChat = (state: string, reason: string | null = null) =>
  story.sql`update public.chats set state = ${state}, reason = ${reason}`;
const started = async () => (await alertsOf(story.sql, ["watch-started"])).length;
const compile = () => story.rounds().compile();

test.each([
  ["with the plan in between", true],
  ["before any plan", false],
])(
  "COVER-01 edit, pause and resume in quick succession, %s, lose nothing and tell nothing twice",
  async (_, isPlanned) => {
    await addPeople(story.sql, [{ url: UNDER(900_000) }]);
    await story.round();
    const codes = publish(2);
    for (const act of [
      () => setLink(950_000),
      () => setPaused(true),
      () => setPaused(false),
      () => setLink(920_000),
      () => setPaused(true),
      () => setPaused(false),
    ]) {
      await act();
      codes.push(...publish(1));
      story.clock.advance(MINUTES);
      if (isPlanned) await compile();
    }
    for (let n = 0; n < 3; n++) await story.round();
    expect(await told()).toEqual(codes.toSorted());
    expect(await alertsOf(story.sql, ["gap"])).toEqual([]);
  },
);

test("COVER-01 after an edit during an outage, homes published before, during and after it are alerted", async () => {
  await addPeople(story.sql, [{ url: UNDER(900_000) }]);
  await story.round();
  const codes = publish(3);
  story.portal.faults.set({ fault: "down" });
  for (let n = 0; n < 8; n++) {
    if (n === 4) await setLink(950_000);
    codes.push(...publish(1));
    await story.round();
  }
  expect(await told()).toEqual([]);
  story.portal.faults.clear();
  for (let n = 0; n < 8; n++) await story.round();
  expect(await told()).toEqual(codes.toSorted());
});

test("COVER-01 a chat that is lost while the search is paused, both back within a day, loses nothing", async () => {
  await addPeople(story.sql, [{ url: UNDER(900_000) }]);
  await story.round();
  const codes = publish(2);
  await setPaused(true);
  await story.round();
  await setChat("blocked", "blocked");
  codes.push(...publish(2));
  await story.round();
  await setPaused(false);
  await story.round();
  await setChat("connected");
  codes.push(...publish(1));
  for (let n = 0; n < 2; n++) await story.round();
  expect(await told()).toEqual(codes.toSorted());
  expect(await started()).toBe(1);
});

test("COVER-01 a limit that is raised and lowered again tells what fits in the end, once, and nothing that does not", async () => {
  await addPeople(story.sql, [{ url: UNDER(600_000) }]);
  await story.round();
  const cheap = publish(2);
  const dear = publish(2, 700_000);
  await setLink(800_000);
  await compile();
  story.clock.advance(MINUTES);
  await setLink(600_000);
  for (let n = 0; n < 2; n++) await story.round();
  expect(await told()).toEqual(cheap);
  // And the other way round: lowered and raised again.
  const later = [...publish(2), ...publish(1, 590_000)];
  await setLink(300_000);
  await compile();
  story.clock.advance(MINUTES);
  await setLink(600_000);
  for (let n = 0; n < 2; n++) await story.round();
  expect(await told()).toEqual([...cheap, ...later].toSorted());
  expect(dear).toHaveLength(2);
});

test("COVER-07 COVER-02 a home that leaves and returns while nothing is checked is not told twice, and is new to who did not know it", async () => {
  const [first] = await addPeople(story.sql, [{ url: UNDER(900_000) }]);
  await story.round();
  const [code = ""] = publish(1);
  await story.round();
  const [second] = await addPeople(story.sql, [{ url: UNDER(800_000) }]);
  await story.round();
  story.clock.advance(6 * 60 * MINUTES);
  story.portal.market.withdraw(story.advert(code));
  story.clock.advance(60 * MINUTES);
  story.portal.market.restore(code);
  story.clock.advance(6 * 60 * MINUTES);
  const codes = publish(2);
  for (let n = 0; n < 3; n++) await story.round();
  expect(await told(["new", "back"], first?.userId)).toEqual([code, ...codes].toSorted());
  // It was in the summary of the second person.
  expect((await told(["new"], second?.userId)).filter((one) => one !== code)).toEqual(codes);
});

test("COVER-01 two searches of one person on one feed, one of them edited and paused, alert each home once", async () => {
  const [person] = await addPeople(story.sql, [{ url: UNDER(900_000), otherUrls: [UNDER(600_000)] }]);
  await story.round();
  const codes = publish(2);
  const [other] = await story.sql`select id from public.searches where id <> ${person?.filterId ?? ""}`;
  await story.sql`update public.searches set filter_url = ${UNDER(650_000)} where id = ${other?.id}`;
  codes.push(...publish(1));
  await runDue(story.rounds());
  await story.sql`update public.searches set is_paused = true where id = ${person?.filterId ?? ""}`;
  codes.push(...publish(1));
  await story.round();
  await story.sql`update public.searches set is_paused = false where id = ${person?.filterId ?? ""}`;
  for (let n = 0; n < 2; n++) await story.round();
  expect(await told()).toEqual(codes.toSorted());
});

test.each([
  ["days", 0],
  ["half a year", 180],
])(
  "COVER-07 %s after a search that told a home is deleted, another one of the person that it fits tells its cut and its return",
  async (_, days) => {
    const [person] = await addPeople(story.sql, [{ url: UNDER(900_000) }]);
    await story.round();
    const [cut = "", back = ""] = publish(2);
    // The other search starts with the newest three.
    publish(4);
    await story.round();
    await story.sql`
      insert into public.searches (user_id, filter_url, receiver_ids)
      select user_id, ${UNDER(800_000)}, receiver_ids from public.searches`;
    await story.round();
    publish(4);
    await story.sql`delete from public.searches where id = ${person?.filterId ?? ""}`;
    for (let n = 0; n < days; n += 30) {
      story.clock.advance(30 * DAY);
      await story.round();
    }
    await story.rounds().housekeep();
    story.portal.market.withdraw(story.advert(back));
    for (let n = 0; n < 5; n++) await story.round();
    story.portal.market.changePrice(story.advert(cut), 450_000);
    story.portal.market.restore(back);
    for (let n = 0; n < 2; n++) await story.round();
    expect([await told(["price-drop"]), await told(["back"])]).toEqual([[cut], [back]]);
  },
);

test.each([DAY, -DAY])(
  "COVER-01 COVER-06 our clock jumps by %i ms and back: nothing is lost or told twice",
  async (jumpMs) => {
    let offMs = 0;
    const now = () => story.clock.now() + offMs;
    const watch = createWatchTasks({
      ...{ sql: story.sql, now, checkIntervalSeconds: 600, logger: silentLogger },
      sources: sourcesOf({ portal: story.portal, now, only: "official" }),
    });
    await addPeople(story.sql, [{ url: UNDER(900_000) }]);
    await story.round(watch);
    const codes = publish(2);
    offMs = jumpMs;
    await story.round(watch);
    codes.push(...publish(2));
    await story.round(watch);
    offMs = 0;
    codes.push(...publish(2));
    for (let n = 0; n < 4; n++) await story.round(watch);
    expect(await told()).toEqual(codes.toSorted());
  },
);

test("COVER-01 a home that became cheap enough just after the wish shrank is new", async () => {
  await addPeople(story.sql, [{ url: UNDER(900_000) }]);
  const [code = ""] = publish(1, 550_000);
  publish(12, 800_000);
  await story.round();
  await setLink(500_000);
  story.portal.market.changePrice(story.advert(code), 480_000);
  story.clock.advance(DAY / 2);
  await story.round();
  await story.round();
  expect(await told()).toEqual([code]);
});

test("COVER-03 COVER-07 a home that left while others changed places is gone, and new to who comes before it returns", async () => {
  const url = `${SITE}/madrid-madrid/`;
  await addPeople(story.sql, [{ url }]);
  await story.round();
  const codes = Array.from({ length: 40 }, () => story.publish(url));
  await story.round();
  const [code = ""] = codes.slice(20);
  const list = story.portal.market.select("sale", "homes", "0-EU-ES-28-07-001-079");
  const [above, below] = [list.at(-5), list.at(-49)];
  if (!above || !below) throw new Error("The list is too short");
  story.portal.market.swap(above, below);
  story.portal.market.withdraw(story.advert(code));
  for (let n = 0; n < 3; n++) await story.round();
  const [person] = await addPeople(story.sql, [{ url }]);
  await story.round();
  story.portal.market.restore(code);
  await story.round();
  expect(await told(["new"], person?.userId)).toEqual([code]);
});
