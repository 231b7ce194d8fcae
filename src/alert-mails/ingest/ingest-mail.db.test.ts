import { expect, test } from "vitest";
import { mailEvent } from "#test/alert-mails/mail-events.ts";
import {
  addPerson,
  ago,
  alertsSentTo,
  cut,
  detailsOf,
  HOUR_MS,
  RETIRO,
  receive,
  setUpMailStory,
  story,
} from "#test/alert-mails/mail-story.ts";
import { type Random, seeded } from "#test/seeded.ts";
import { alertsOf } from "#test/watching/world.ts";

setUpMailStory();

test("ONE-02 MAIL-06 each listing and price drop is alerted once per chat, in whatever order mails and API report them", async () => {
  const person = await addPerson(RETIRO, ["71", "-72"]);
  await story.round();
  const random = seeded(20_261_115);
  const codes: string[] = [];
  for (let round = 0; round < 6; round++) {
    const fresh = Array.from({ length: 4 }, () => story.publish(RETIRO, { priceEur: 800_000 }));
    const cheaper = codes.filter(() => random() < 0.4);
    for (const code of cheaper) {
      story.portal.market.changePrice(story.advert(code), story.advert(code).priceEur - 10_000);
    }
    codes.push(...fresh);
    const events = [...fresh, ...cheaper].map((code) => {
      const { priceEur } = story.advert(code);
      return priceEur === 800_000 ? mailEvent(code, { priceEur }) : cut(code, priceEur + 10_000, priceEur);
    });
    const mails = () => mailsOf(events, random).map((mail) => receive(person.userId, mail));
    // Before the API, at the same moment, and after it.
    await Promise.all(mails());
    await Promise.all([story.round(), ...mails()]);
    await Promise.all(mails());
  }
  const alerts = await alertsOf(story.sql, ["new", "price-drop"]);
  const lines = alerts.map(({ chatId, kind, listingId, payload }) => {
    const { priceEur } = payload.listing as { priceEur: number };
    return `${chatId} ${listingId} ${kind === "price-drop" ? priceEur : "found"}`;
  });
  expect(new Set(lines).size).toBe(lines.length);
  for (const chatId of person.chatIds) {
    for (const code of codes) expect(lines).toContain(`${chatId} ${code} found`);
  }
  expect(alerts.filter(({ kind }) => kind === "price-drop").length).toBeGreaterThan(10);
});

/** Events in single mails, in a digest, in both, or in none. */
function mailsOf<Event>(events: readonly Event[], random: Random): Event[][] {
  const digest = events.filter(() => random() < 0.3);
  const alone = events.filter(() => random() < 0.4).map((event) => [event]);
  return digest.length > 0 ? [...alone, digest] : alone;
}

test("MAIL-06 MAIL-11 a listing from a mail is alerted with the mail's facts; the API later adds missing facts without an alert", async () => {
  const person = await addPerson();
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 500_000 });
  const receivedAt = story.clock.now();
  const bare = { title: null, address: ["Madrid"], areaM2: null, rooms: null };
  expect(
    await receive(person.userId, [mailEvent(code, { ...bare, isPrivate: true, isAuction: true })]),
  ).toEqual({ listingCount: 1, newCount: 1 });
  expect(await detailsOf(person.userId, code)).toMatchObject({
    price: 500_000,
    size: null,
    location: "Madrid",
  });
  const [alert] = await story.sql`
    select source, seen_at, held_at, payload from watch.alerts where listing_id = ${code}`;
  expect(alert).toMatchObject({
    source: "mail",
    seen_at: new Date(receivedAt),
    held_at: null,
    payload: {
      listing: {
        priceEur: 500_000,
        municipality: "Madrid",
        isPrivate: true,
        isAuction: true,
        comparison: null,
      },
    },
  });
  await story.round();
  expect(await alertsSentTo(person.userId)).toEqual([["new", code, 500_000]]);
  expect(await detailsOf(person.userId, code)).toMatchObject({
    title: expect.any(String),
    price: 500_000,
    size: expect.any(Number),
    rooms: expect.any(Number),
    location: "Madrid",
  });
  const seen = await story.sql`
    select source, seen_at from watch.sightings where listing_id = ${code} and event_key = '' order by seen_at`;
  expect(seen.map(({ source }) => source)).toEqual(["mail", "official"]);
  expect(seen[0]?.seen_at).toEqual(new Date(receivedAt));
});

test("MAIL-06 a mail after the API sends no alert and removes no facts; both sightings are recorded", async () => {
  const person = await addPerson();
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 700_000 });
  await story.round();
  const before = await detailsOf(person.userId, code);
  expect(
    await receive(person.userId, [mailEvent(code, { priceEur: 700_000, title: null, areaM2: null })]),
  ).toEqual({ listingCount: 1, newCount: 0 });
  expect(await alertsSentTo(person.userId)).toEqual([["new", code, 700_000]]);
  expect(await detailsOf(person.userId, code)).toEqual(before);
  const [alert] = await story.sql`select source, seen_at from watch.alerts where listing_id = ${code}`;
  expect(alert).toMatchObject({ source: "official", seen_at: expect.any(Date) });
  const seen =
    await story.sql`select source from watch.sightings where listing_id = ${code} order by seen_at`;
  expect(seen.map(({ source }) => source)).toEqual(["official", "mail"]);
});

test("MAIL-06 a price drop is alerted once, by the first source, and is a new listing for a user who did not have it", async () => {
  const person = await addPerson();
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 700_000 });
  const unseen = story.publish(RETIRO.replace("900000", "2000000"), { priceEur: 950_000 });
  await story.round();
  await receive(person.userId, [cut(code, 700_000, 650_000)]);
  await receive(person.userId, [cut(code, 700_000, 650_000), cut(unseen, 950_000, 880_000)]);
  story.portal.market.changePrice(story.advert(code), 650_000);
  story.portal.market.changePrice(story.advert(unseen), 880_000);
  await story.round();
  await receive(person.userId, [cut(unseen, 950_000, 880_000)]);
  story.portal.market.changePrice(story.advert(code), 640_000);
  await story.round();
  await receive(person.userId, [cut(code, 650_000, 640_000)]);
  expect(await alertsSentTo(person.userId)).toEqual([
    ["new", code, 700_000],
    ["price-drop", code, 650_000],
    ["new", unseen, 880_000],
    ["price-drop", code, 640_000],
  ]);
  const found = (await alertsOf(story.sql)).find(({ listingId }) => listingId === unseen);
  expect(found?.payload).toMatchObject({ formerPriceEur: 950_000 });
});

test("MAIL-06 an old mail does not replace a newer price from the API or another mail", async () => {
  const person = await addPerson();
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 700_000 });
  const other = story.publish(RETIRO.replace("900000", "2000000"), { priceEur: 1_200_000 });
  await story.round();
  story.portal.market.changePrice(story.advert(code), 600_000);
  await story.round();
  // Sent before the price drop, received after it.
  const late = new Date(story.clock.now() - 15 * 60_000);
  await receive(person.userId, [cut(code, 700_000, 650_000)], late);
  // The user does not have the listing yet, so it is alerted at the current price.
  await receive(person.userId, [mailEvent(other, { priceEur: 1_500_000 })], ago(6 * HOUR_MS));
  await receive(person.userId, [mailEvent("900001", { priceEur: 400_000 })], ago(3 * HOUR_MS));
  await receive(person.userId, [cut("900001", 400_000, 350_000)], ago(HOUR_MS));
  await receive(person.userId, [cut("900001", 400_000, 380_000)], ago(2 * HOUR_MS));
  expect(await alertsSentTo(person.userId)).toEqual([
    ["new", code, 700_000],
    ["price-drop", code, 600_000],
    ["new", other, 1_200_000],
    ["new", "900001", 400_000],
    ["price-drop", "900001", 350_000],
  ]);
});
