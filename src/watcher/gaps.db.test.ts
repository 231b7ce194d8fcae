// Times in which homes may have been missed: told once, also to people who could not be told at first.
import { expect, test } from "vitest";
import { readFigures } from "#server/monitoring/rows/figures.ts";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const SITE = "https://www.idealista.com/venta-viviendas";
const UNDER = (euros: number) => `${SITE}/madrid/retiro/con-precio-hasta_${euros}/`;
const RETIRO = UNDER(900_000);
const DAY = 86_400_000;
const story = storyForTests(3_000);

const publishAll = (count: number) =>
  Array.from({ length: count }, () => story.publish(RETIRO, { priceEur: 500_000 }));
const setPaused = (isPaused: boolean) => story.sql`update public.searches set is_paused = ${isPaused}`;
const setChat = (state: string, reason: string | null = null) =>
  story.sql`update public.chats set state = ${state}, reason = ${reason}`;
const toldTo = async (userId: string | undefined) =>
  (await alertsOf(story.sql, ["new"]))
    .filter((alert) => alert.userId === userId)
    .map(({ listingId }) => listingId);

test("COVER-02 a gap is told once, with its time and cause, and can be read by search", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const since = story.clock.now() - 630_000;
  publishAll(70);
  const short = story.rounds({ pages: { newest: 1, deep: 1 } });
  story.clock.advance(DAY);
  await story.round(short);
  await story.round(short);
  const gaps = await alertsOf(story.sql, ["gap"]);
  expect(gaps).toHaveLength(1);
  expect(gaps[0]).toMatchObject({ userId: person?.userId, payload: { fromMs: since, cause: "downtime" } });
  expect(await story.sql`select cause, told_at is not null as told from watch.gaps`).toEqual([
    { cause: "downtime", told: true },
  ]);
  expect((await readFigures(story.sql, new Date(story.clock.now()))).gaps).toEqual([
    { feed: expect.stringContaining("official sale homes"), cause: "downtime", searches: 1 },
  ]);
});

test("COVER-02 COVER-01 a gap that is due during a short pause is told after it, and a reading during the pause does not close it", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  const [other] = await addPeople(story.sql, [{ url: UNDER(950_000) }]);
  await story.round();
  publishAll(130);
  const short = story.rounds({ pages: { newest: 1, deep: 2 } });
  story.clock.advance(DAY);
  await story.round(short);
  await story.sql`update public.searches set is_paused = true where user_id <> ${other?.userId ?? ""}`;
  await runDue(short);
  const gapsOf = async () => (await alertsOf(story.sql, ["gap"])).map(({ userId }) => userId);
  for (let n = 0; n < 15; n++) await story.round(short);
  await short.housekeep();
  expect(await gapsOf()).toEqual([other?.userId]);
  await story.round(story.rounds());
  await setPaused(false);
  for (let n = 0; n < 2; n++) await story.round(short);
  await short.housekeep();
  expect(await gapsOf()).toHaveLength(2);
  await short.housekeep();
  expect(await gapsOf()).toHaveLength(2);
});

test.each([
  ["gap", 1],
  ["gap", 3],
  ["source-up", 1],
])(
  "COVER-02 COVER-01 the %s message that a chat lost for about %i days kept in the outbox is sent when the chat is regained",
  async (kind, days) => {
    await addPeople(story.sql, [{ url: RETIRO }]);
    await story.round();
    publishAll(70);
    const short = story.rounds({ pages: { newest: 1, deep: 1 } });
    if (kind === "source-up") story.portal.faults.set({ fault: "down" });
    for (let n = 0; n < 8; n++) await story.round(short);
    story.portal.faults.clear();
    for (let n = 0; n < 8; n++) await story.round(short);
    const stopped = await story.sql`
      update watch.alerts set state = 'undeliverable', last_error = 'no active search' where kind = ${kind} returning payload`;
    expect(stopped).toHaveLength(1);
    await setChat("blocked", "blocked");
    await story.round(short);
    story.clock.advance((days - 0.5) * DAY);
    await setChat("connected");
    for (let n = 0; n < 2; n++) await story.round(short);
    expect(await story.sql`select state from watch.alerts where kind = ${kind}`).toEqual([
      { state: "pending" },
    ]);
  },
);

test("COVER-02 a gap that a full scan fills is not told, and what it held is", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const codes = publishAll(70);
  const short = story.rounds({ pages: { newest: 1, deep: 20 } });
  for (let n = 0; n < 4; n++) await story.round(short);
  expect(await alertsOf(story.sql, ["gap"])).toEqual([]);
  expect(await story.sql`select filled_at is not null as filled from watch.gaps`).toEqual([{ filled: true }]);
  expect((await toldTo(person?.userId)).toSorted()).toEqual(codes.toSorted());
});
