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
