import { expect, test } from "vitest";
import { mailEvent } from "#test/alert-mails/mail-events.ts";
import {
  addPerson,
  ago,
  alertsSentTo,
  cut,
  HOUR_MS,
  RETIRO,
  receive,
  setUpMailStory,
  story,
} from "#test/alert-mails/mail-story.ts";
import { alertsOf } from "#test/watching/world.ts";

setUpMailStory();

test('LAST-05 a mail that says "new" at the lower price does not silence the cut', async () => {
  const person = await addPerson();
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 800_000 });
  await story.round();
  await receive(person.userId, [mailEvent(code, { priceEur: 700_000 })]);
  story.portal.market.changePrice(story.advert(code), 700_000);
  await story.round();
  expect((await alertsSentTo(person.userId)).map(([kind]) => kind)).toEqual(["new", "price-drop"]);
});

test("LAST-05 a cut that a mail told is not told again, and a find by mail is not told as a cut to its price", async () => {
  const [known, found] = [await addPerson(), await addPerson()];
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 800_000 });
  await story.round();
  await receive(known.userId, [cut(code, 800_000, 700_000)]);
  story.portal.market.changePrice(story.advert(code), 700_000);
  await story.round();
  expect((await alertsSentTo(known.userId)).map(([kind]) => kind)).toEqual(["new", "price-drop"]);
  const other = story.publish(RETIRO, { priceEur: 800_000 });
  await receive(found.userId, [mailEvent(other, { priceEur: 750_000 })]);
  story.portal.market.changePrice(story.advert(other), 750_000);
  await story.round();
  const told = (await alertsSentTo(found.userId)).filter((alert) => JSON.stringify(alert).includes(other));
  expect(told).toHaveLength(1);
});

test("LAST-05 forty mails of sixty days ago are a backlog, whatever the mailbox says of their arrival", async () => {
  const person = await addPerson();
  await story.sql`update public.mail_addresses set created_at = ${new Date(story.clock.now() - 365 * 24 * HOUR_MS)}`;
  for (let mail = 0; mail < 40; mail += 1) {
    await receive(person.userId, [mailEvent(`77${mail}`, { priceEur: 500_000 })], ago(60 * 24 * HOUR_MS));
  }
  expect((await alertsSentTo(person.userId)).length).toBeLessThanOrEqual(3);
});

const DAY_MS = 24 * HOUR_MS;

/** So many mails arrive within a moment, with these dates. */
async function receiveAtOnce(userId: string, count: number, sentAt: Date | null): Promise<number> {
  await story.sql`
    insert into watch.mails (user_id, received_at, digest, done_at)
    select ${userId}, ${new Date(story.clock.now())}, sha256(n::text::bytea), now() from generate_series(1, ${count}) as n`;
  for (let mail = 0; mail < count; mail += 1) {
    await receive(userId, [mailEvent(`78${mail}`, { priceEur: 500_000 })], sentAt);
  }
  return (await alertsSentTo(userId)).length;
}

test.each([
  ["without a date", null],
  ["dated in the year 2099", new Date("2099-01-01T00:00:00Z")],
  ["dated in the year 1601", new Date("1601-01-01T00:00:00Z")],
  ["of two hours ago", -2 * HOUR_MS],
  ["of two days ago", -2 * DAY_MS],
])("LAST-05 fifteen mails at once, %s, are a backlog", async (_, dated) => {
  const person = await addPerson();
  await story.sql`update public.mail_addresses set created_at = ${ago(365 * DAY_MS)}`;
  const sentAt = typeof dated === "number" ? ago(-dated) : dated;
  expect(await receiveAtOnce(person.userId, 15, sentAt)).toBeLessThanOrEqual(3);
});

test("LAST-05 fifteen mails of this minute are all news, and so is a mail that says nothing or nonsense of its time", async () => {
  const [busy, dateless, future] = [await addPerson(), await addPerson(), await addPerson()];
  expect(await receiveAtOnce(busy.userId, 15, ago(0))).toBe(15);
  expect(await receiveAtOnce(dateless.userId, 2, null)).toBe(2);
  expect(await receiveAtOnce(future.userId, 2, new Date("2099-01-01T00:00:00Z"))).toBe(2);
});

test("COVER-01 LAST-05 a cut between the mail that told a home and the first check that sees it is told, from the price in the mail", async () => {
  const [known, knownCheaper, knownAtIt, unknown] = [
    await addPerson(),
    await addPerson(),
    await addPerson(),
    await addPerson(),
  ];
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 700_000 });
  await receive(known.userId, [mailEvent(code, { priceEur: 700_000 })]);
  await receive(knownCheaper.userId, [mailEvent(code, { priceEur: 680_000 })]);
  await receive(knownAtIt.userId, [mailEvent(code, { priceEur: 650_000 })]);
  story.portal.market.changePrice(story.advert(code), 650_000);
  await story.round();
  await story.round();
  expect(await toldOf(known.userId, code)).toEqual([
    ["new", 700_000, undefined],
    ["price-drop", 650_000, 700_000],
  ]);
  expect(await toldOf(knownCheaper.userId, code)).toEqual([
    ["new", 680_000, undefined],
    ["price-drop", 650_000, 680_000],
  ]);
  expect(await toldOf(knownAtIt.userId, code)).toEqual([["new", 650_000, undefined]]);
  expect(await toldOf(unknown.userId, code)).toEqual([["new", 650_000, undefined]]);
});

test("COVER-01 LAST-05 a search that goes on after a pause is told the cut of a home that its feed has only seen cheaper", async () => {
  const [paused] = [await addPerson(), await addPerson()];
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 700_000 });
  await receive(paused.userId, [mailEvent(code, { priceEur: 700_000 })]);
  await setPaused(paused.userId, true);
  story.portal.market.changePrice(story.advert(code), 650_000);
  await story.round();
  expect(await toldOf(paused.userId, code)).toEqual([["new", 700_000, undefined]]);
  await setPaused(paused.userId, false);
  for (let round = 0; round < 3; round++) await story.round();
  expect(await toldOf(paused.userId, code)).toEqual([
    ["new", 700_000, undefined],
    ["price-drop", 650_000, 700_000],
  ]);
});

test("COVER-01 MANY-02 a cut since a mail for one search is told for another in the chat that had the mail, and is new in its other chat", async () => {
  const person = await addPerson(RETIRO, ["81", "82"]);
  await story.sql`update public.searches set receiver_ids = '{81}' where id = ${person.filterId}`;
  const [other] = await story.sql`
    insert into public.searches (user_id, filter_url, receiver_ids)
    values (${person.userId}, ${RETIRO.replace("900000", "950000")}, '{81,82}') returning id`;
  await story.round();
  await story.sql`update public.searches set is_paused = true where id = ${other?.id}`;
  const code = story.publish(RETIRO, { priceEur: 700_000 });
  await receive(person.userId, [mailEvent(code, { priceEur: 700_000 })]);
  await story.sql`update public.searches set is_paused = (id = ${person.filterId})`;
  story.portal.market.changePrice(story.advert(code), 650_000);
  for (let round = 0; round < 3; round++) await story.round();
  const told = await alertsOf(story.sql, ["new", "price-drop"]);
  expect(
    told.filter(({ listingId }) => listingId === code).map(({ chatId, kind }) => `${chatId} ${kind}`),
  ).toEqual(["81 new", "81 price-drop", "82 new"]);
});

async function setPaused(userId: string, isPaused: boolean): Promise<void> {
  await story.sql`update public.searches set is_paused = ${isPaused} where user_id = ${userId}`;
}

async function toldOf(userId: string, code: string) {
  const alerts = await alertsOf(story.sql, ["new", "price-drop"]);
  return alerts
    .filter((alert) => alert.userId === userId && alert.listingId === code)
    .map(({ kind, payload }) => [
      kind,
      (payload.listing as { priceEur: number }).priceEur,
      payload.formerPriceEur,
    ]);
}
