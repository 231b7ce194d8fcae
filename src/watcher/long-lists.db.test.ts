// What happens in a list below the pages that a check reads.
import { expect, test } from "vitest";
import type { Advert } from "#simulators/portal/market/advert.ts";
import { storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const SITE = "https://www.idealista.com/venta-viviendas";
const RETIRO = `${SITE}/madrid/retiro/`;
const HOUR_MS = 3_600_000;
/** A first check reads four pages. */
const LENGTH = 320;
const story = storyForTests(3_000);

/** Newest first. */
const list = (): Advert[] => [
  ...story.portal.market.select("sale", "homes", "0-EU-ES-28-07-001-079-03").toReversed(),
];
const fillList = (length = LENGTH) => {
  while (list().length < length) story.publish(RETIRO);
};
/** The tests of this file share the market. */
const setLength = (length: number) => {
  fillList(length);
  for (const advert of list().slice(length)) story.portal.market.withdraw(advert);
};
const told = async () => (await alertsOf(story.sql, ["new"])).map(({ listingId }) => listingId).toSorted();
const renew = (adverts: readonly Advert[]): string[] => {
  for (const advert of adverts) story.portal.market.renew(advert);
  return adverts.map(({ code }) => code).toSorted();
};
const oldest = () => list().slice(-10);

test("COVER-03 adverts of the bottom of a list that are renewed are new as long as nobody has read so far, once, and known after the day's scan", async () => {
  fillList();
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  // Nobody can tell them from new ones.
  const renewed = renew(oldest());
  for (let n = 0; n < 2; n++) await story.round();
  expect(await told()).toEqual(renewed);
  story.clock.advance(24 * HOUR_MS);
  for (let n = 0; n < 6; n++) await story.round();
  renew(oldest());
  const code = story.publish(RETIRO);
  for (let n = 0; n < 2; n++) await story.round();
  expect(await told()).toEqual([...renewed, code].toSorted());
});

test("COVER-03 adverts of the bottom of a list that another feed has long known are not new when they are renewed", async () => {
  setLength(160);
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const old = oldest();
  for (let n = 0; n < 250; n++) story.publish(`${SITE}/madrid/chamberi/`);
  story.clock.advance(3 * 24 * HOUR_MS);
  const [person] = await addPeople(story.sql, [{ url: `${SITE}/madrid-madrid/` }]);
  await story.round();
  const remembered = await story.sql`
    select from watch.feed_listings join watch.feeds on key = feed_key and idle_since is null
    where listing_id in (select jsonb_array_elements_text(${story.sql.json(old.map(({ code }) => code))}))`;
  expect([old.length, remembered.length]).toEqual([10, 0]);
  // Between adverts that the feed knows, which are renewed with them.
  const known = story.portal.market.select("sale", "homes", "0-EU-ES-28-07-001-079").slice(-10);
  renew(old.flatMap((advert, n) => [advert, known[n] ?? advert]));
  const code = story.publish(RETIRO);
  await story.round();
  const alerts = await alertsOf(story.sql, ["new"]);
  expect(alerts.flatMap(({ userId, listingId }) => (userId === person?.userId ? [listingId] : []))).toEqual([
    code,
  ]);
});

test.each([
  ["with the next check if the list got longer by it", false],
  ["with the scan of the day otherwise", true],
])("COVER-03 an advert that enters a list below its first page is new, %s", async (_, isOtherGone) => {
  fillList();
  await addPeople(story.sql, [{ url: RETIRO }]);
  for (let n = 0; n < 2; n++) await story.round();
  const code = story.publish(RETIRO);
  const [other, gone] = [list()[61], list()[64]];
  if (!other || !gone) throw new Error("The list is too short");
  story.portal.market.swap(story.advert(code), other);
  if (isOtherGone) story.portal.market.withdraw(gone);
  await story.round();
  expect(await told()).toEqual(isOtherGone ? [] : [code]);
  story.clock.advance(24 * HOUR_MS);
  for (let n = 0; n < 6; n++) await story.round();
  expect(await told()).toEqual([code]);
});

test("COVER-03 homes that a burst of renewals pushed below the pages of a check are not gone, and not back when a check reads them again", async () => {
  setLength(80);
  await addPeople(story.sql, [{ url: RETIRO }]);
  for (let n = 0; n < 2; n++) await story.round();
  const codes = Array.from({ length: 20 }, () => story.publish(RETIRO));
  await story.round();
  expect(await told()).toEqual(codes.toSorted());
  // In the order in which they were listed.
  renew(list().slice(35).toReversed());
  for (let n = 0; n < 4; n++) await story.round();
  story.clock.advance(3 * 24 * HOUR_MS);
  for (let n = 0; n < 6; n++) await story.round();
  const gone = await story.sql`select from watch.feed_listings where gone_at is not null`;
  expect([gone.length, (await alertsOf(story.sql, ["back"])).length]).toEqual([0, 0]);
});
