import { expect, test } from "vitest";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const SITE = "https://www.idealista.com/venta-viviendas";
const UNDER = (euros: number) => `${SITE}/madrid/retiro/con-precio-hasta_${euros}/`;
const RETIRO = UNDER(900_000);
const MINUTES = 60_000;
const DAY = 86_400_000;
const story = storyForTests(3_000);

const toldTo = async (userId: string | undefined, kinds: readonly string[] = ["new"]) =>
  (await alertsOf(story.sql, kinds))
    .filter((alert) => alert.userId === userId)
    .map(({ listingId }) => listingId);
const publishAll = (count: number, fields: Record<string, unknown> = { priceEur: 500_000 }) =>
  Array.from({ length: count }, () => story.publish(RETIRO, fields));
const setPaused = (isPaused: boolean) => story.sql`update public.searches set is_paused = ${isPaused}`;
const setChat = (state: string, reason: string | null = null) =>
  story.sql`update public.chats set state = ${state}, reason = ${reason}`;
const startedOf = async () => (await alertsOf(story.sql, ["watch-started"])).map(({ payload }) => payload);

test("COVER-01 after an edit all that came since the last check is told, and what only fits the new wish is summed up", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const dear = Array.from({ length: 4 }, () => story.publish(UNDER(2_000_000), { priceEur: 920_000 }));
  await story.round();
  const codes = publishAll(10);
  await story.sql`update public.searches set filter_url = ${UNDER(950_000)}`;
  await story.round();
  expect((await toldTo(person?.userId)).toSorted()).toEqual(codes.toSorted());
  const [, edited] = await startedOf();
  expect(edited).toMatchObject({
    occasion: "edit",
    newest: dear
      .toReversed()
      .slice(0, 3)
      .map((propertyCode) => ({ propertyCode })),
  });
  expect(edited?.matchCount).toBeGreaterThanOrEqual(4);
  await story.round();
  expect(await toldTo(person?.userId)).toHaveLength(10);
});

test("COVER-01 a home that became cheap enough just before the wish grew is new, and what only fits the new wish is summed up", async () => {
  const [person] = await addPeople(story.sql, [{ url: UNDER(500_000) }]);
  const cut = story.publish(RETIRO, { priceEur: 600_000 });
  const alsoFits = story.publish(RETIRO, { priceEur: 610_000 });
  publishAll(12, { priceEur: 400_000 });
  await story.round();
  story.portal.market.changePrice(story.advert(cut), 480_000);
  await story.sql`update public.searches set filter_url = ${UNDER(620_000)}`;
  for (let n = 0; n < 2; n++) await story.round();
  expect(await toldTo(person?.userId)).toEqual([cut]);
  const [, edited] = await startedOf();
  expect(edited).toMatchObject({ occasion: "edit" });
  expect(JSON.stringify(edited?.newest)).toContain(alsoFits);
});

test("COVER-01 a pause that is taken back within a day loses nothing, and is not greeted again", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const before = publishAll(2);
  await setPaused(true);
  await runDue(story.rounds());
  story.clock.advance(5 * MINUTES);
  const during = publishAll(3);
  await setPaused(false);
  await story.round();
  await story.round();
  expect((await toldTo(person?.userId)).toSorted()).toEqual([...before, ...during].toSorted());
  expect(await startedOf()).toHaveLength(1);
});

test("COVER-01 after a pause of days what came meanwhile is summed up in one message, and then every home is told", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  await setPaused(true);
  await story.round();
  const during = publishAll(5);
  story.clock.advance(3 * DAY);
  await setPaused(false);
  await story.round();
  expect(await toldTo(person?.userId)).toEqual([]);
  expect((await startedOf())[1]).toMatchObject({
    occasion: "pause",
    matchCount: 5,
    newest: during
      .toReversed()
      .slice(0, 3)
      .map((propertyCode) => ({ propertyCode })),
  });
  const [next = ""] = publishAll(1);
  await story.round();
  expect(await toldTo(person?.userId)).toEqual([next]);
});

test("COVER-01 an alert that a short pause stopped in the outbox is sent after it", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const [code = ""] = publishAll(1);
  await story.round();
  await setPaused(true);
  await story.sql`update watch.alerts set state = 'undeliverable', last_error = 'no active search' where listing_id = ${code}`;
  await setPaused(false);
  await story.round();
  expect(await story.sql`select state from watch.alerts where listing_id = ${code}`).toEqual([
    { state: "pending" },
  ]);
});

test("COVER-01 an alert that a lost chat ended is sent when the chat is back within a day, one that was shown as failed is not", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const [blocked = "", failed = ""] = publishAll(2);
  await story.round();
  await setChat("blocked", "blocked");
  await story.sql`update watch.alerts set state = 'undeliverable', last_error = '403' where listing_id = ${blocked}`;
  await story.sql`
    update watch.alerts set state = 'undeliverable', failure = 'unanswered', failed_at = now(), unanswered = 3
    where listing_id = ${failed}`;
  await setChat("connected");
  await story.round();
  const stateOf = async (code: string) =>
    (await story.sql`select state from watch.alerts where listing_id = ${code}`).map(({ state }) => state);
  expect([await stateOf(blocked), await stateOf(failed)]).toEqual([["pending"], ["undeliverable"]]);
});

test("COVER-01 a chat that is lost and regained within a day gets everything; the search is not greeted again", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  await setChat("blocked", "blocked");
  const codes = publishAll(3);
  // A check before the planning notices.
  const rounds = story.rounds();
  story.clock.advance(10 * MINUTES);
  for (const key of await rounds.findDue(10)) await rounds.check(key, new AbortController().signal);
  await story.round();
  await setChat("connected");
  await story.round();
  await story.round();
  expect((await toldTo(person?.userId)).toSorted()).toEqual(codes.toSorted());
  expect(await startedOf()).toHaveLength(1);
});

test("COVER-01 a group that may not be written to stays served: its alerts are written and wait", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO, chatIds: ["-5001"] }]);
  await story.round();
  await setChat("unreachable", "no-rights");
  const codes = publishAll(6);
  await story.round();
  expect((await toldTo(person?.userId)).toSorted()).toEqual(codes.toSorted());
  expect(await story.sql`select distinct state from watch.alerts where kind = 'new'`).toEqual([
    { state: "pending" },
  ]);
  await setChat("connected");
  await story.round();
  expect(await startedOf()).toHaveLength(1);
});

test("COVER-01 a feed that takes over after hours without a check reads back to where the old one ended", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  story.clock.advance(12 * 60 * MINUTES);
  const [code = ""] = publishAll(1);
  for (let n = 0; n < 260; n++) story.publish(`${SITE}/madrid-madrid/`);
  await addPeople(
    story.sql,
    ["centro", "chamberi", "salamanca"].map((district) => ({ url: `${SITE}/madrid/${district}/` })),
  );
  await story.round();
  await story.round();
  expect(await story.sql`select key from watch.feeds where idle_since is null`).toHaveLength(1);
  expect(await toldTo(person?.userId)).toContain(code);
  expect(await alertsOf(story.sql, ["gap"])).toEqual([]);
});

test("COVER-01 another spelling of the link, saved while a check commits, loses nothing", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const codes = publishAll(2);
  await story.sql`update public.searches set filter_url = ${RETIRO.replace(".com/", ".com/en/")}`;
  const rounds = story.rounds();
  for (const key of await rounds.findDue(10)) await rounds.check(key, new AbortController().signal);
  expect(await toldTo(person?.userId)).toEqual([]);
  await story.round();
  await story.round();
  expect((await toldTo(person?.userId)).toSorted()).toEqual(codes.toSorted());
});

test("COVER-07 a home that returns is back to who knew it, and new to who did not", async () => {
  const [first] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const [code = ""] = publishAll(1);
  publishAll(12);
  await story.round();
  story.portal.market.withdraw(story.advert(code));
  for (let n = 0; n < 3; n++) await story.round();
  const [second] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  story.portal.market.restore(code);
  await story.round();
  expect(await toldTo(second?.userId)).toEqual([code]);
  expect(await toldTo(second?.userId, ["back"])).toEqual([]);
  expect(await toldTo(first?.userId, ["back"])).toEqual([code]);
});

test("COVER-07 a cut is told a hundred days after the find, and nothing is new again", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const [code = ""] = publishAll(1);
  await story.round();
  await story.sql`update watch.alerts set state = 'sent', sent_at = ${new Date(story.clock.now())}`;
  story.clock.advance(100 * DAY);
  const rounds = story.rounds();
  await rounds.housekeep();
  expect(await story.sql`select from public.listings where listing_id = ${code}`).toHaveLength(0);
  story.portal.market.changePrice(story.advert(code), 450_000);
  await story.round();
  expect(await toldTo(person?.userId, ["new", "price-drop"])).toEqual([code]);
  expect((await alertsOf(story.sql, ["price-drop"]))[0]?.payload).toMatchObject({ formerPriceEur: 500_000 });
});

test("COVER-02 COVER-01 after two days without a check three hundred new homes are read back to the last one", async () => {
  const [person] = await addPeople(story.sql, [{ url: `${SITE}/madrid-madrid/` }]);
  await story.round();
  const codes = Array.from({ length: 300 }, () => story.publish(`${SITE}/madrid-madrid/`));
  story.clock.advance(2 * DAY);
  await story.round();
  expect(await toldTo(person?.userId)).toHaveLength(codes.length);
  expect(await alertsOf(story.sql, ["gap"])).toEqual([]);
});

const onOffer = () => story.portal.market.select("sale", "homes", "0-EU-ES-28-07-001-079-03");

test.each([
  ["in their order", (adverts: readonly string[]) => adverts],
  ["in reverse order", (adverts: readonly string[]) => adverts.toReversed()],
])(
  "COVER-03 sixty renewed adverts, %s, neither hide the new one below them nor count as new",
  async (_, arranged) => {
    const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
    await story.round();
    const newest = onOffer()
      .slice(-60)
      .map(({ code }) => code);
    const [code = ""] = publishAll(1);
    for (const renewed of arranged(newest)) story.portal.market.renew(story.advert(renewed));
    await story.round();
    expect(await toldTo(person?.userId)).toEqual([code]);
  },
);

test("COVER-08 a home that fits only since its facts were corrected is new, once", async () => {
  const url = `${SITE}/madrid/retiro/con-de-tres-dormitorios/`;
  const [person] = await addPeople(story.sql, [{ url }]);
  const code = story.publish(RETIRO, { rooms: 2, priceEur: 500_000 });
  publishAll(12, { rooms: 1 });
  await story.round();
  story.advert(code).rooms = 3;
  await story.round();
  await story.round();
  expect(await toldTo(person?.userId)).toEqual([code]);
});
