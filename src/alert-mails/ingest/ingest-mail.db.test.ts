import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PriceComparison } from "#core/alert/alert.ts";
import { mailEvent, receiveMail } from "#test/alert-mails/mail-events.ts";
import { type Random, seeded } from "#test/seeded.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { asPerson } from "#test/watching/many-finds.ts";
import { createStory, type Story } from "#test/watching/story.ts";
import { addPeople, alertsOf, type Person } from "#test/watching/world.ts";

const RETIRO = "https://www.idealista.com/venta-viviendas/madrid/retiro/con-precio-hasta_900000/";
const HOUR_MS = 3_600_000;
let story: Story;

beforeAll(async () => {
  story = await createStory(1_000);
});
afterAll(() => story.portal.close());
beforeEach(async () => {
  const database = await createTestDatabase();
  story.open(database.url);
  return async () => {
    await story.end();
    await database.drop();
  };
});

/** A user whose address is a day old. */
async function addPerson(url = RETIRO, chatIds?: readonly string[]): Promise<Person> {
  const [person] = await addPeople(story.sql, [{ url, ...(chatIds ? { chatIds } : {}) }]);
  if (!person) throw new Error("nobody was added");
  await story.sql`
    insert into public.mail_addresses (user_id, token, created_at)
    values (${person.userId}, replace(${person.userId}::text, '-', ''), ${new Date(story.clock.now() - 24 * HOUR_MS)})`;
  return person;
}

const receive = (userId: string, events: Parameters<typeof receiveMail>[1]["events"], sentAt?: Date | null) =>
  receiveMail(story.sql, {
    userId,
    events,
    at: story.clock.now(),
    ...(sentAt === undefined ? {} : { sentAt }),
  });
const cut = (code: string, from: number, to: number) =>
  mailEvent(code, { event: "cheaper", priceEur: to, formerPriceEur: from });
const ago = (ms: number) => new Date(story.clock.now() - ms);
const toldOf = async (userId: string) =>
  (await alertsOf(story.sql, ["new", "price-drop", "readvertised"]))
    .filter((alert) => alert.userId === userId)
    .map(({ kind, listingId, payload }) => [
      kind,
      listingId,
      (payload.listing as { priceEur: number }).priceEur,
    ]);
const detailsOf = async (userId: string, code: string) => {
  const [row] = await story.sql`
    select details from public.listings where user_id = ${userId} and listing_id = ${code}`;
  return row?.details;
};

test("MAIL-06 each listing and price drop is alerted once per chat, in whatever order mails and API report them", async () => {
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
  const alerts = await alertsOf(story.sql, ["new", "price-drop", "readvertised"]);
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
  expect(await toldOf(person.userId)).toEqual([["new", code, 500_000]]);
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
  expect(await toldOf(person.userId)).toEqual([["new", code, 700_000]]);
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
  expect(await toldOf(person.userId)).toEqual([
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
  expect(await toldOf(person.userId)).toEqual([
    ["new", code, 700_000],
    ["price-drop", code, 600_000],
    ["new", other, 1_200_000],
    ["new", "900001", 400_000],
    ["price-drop", "900001", 350_000],
  ]);
});

test("MAIL-06 no alert is sent without a search, while paused or banned, or for a hidden home, neither now nor later", async () => {
  const [bare, paused, banned, hider] = [
    await addPerson(),
    await addPerson(),
    await addPerson(),
    await addPerson(),
  ];
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 700_000 });
  await story.sql`delete from public.filter_settings where user_id = ${bare.userId}`;
  await story.sql`update public.filter_settings set is_paused = true where user_id = ${paused.userId}`;
  await story.sql`update auth.users set banned_until = ${new Date(story.clock.now() + HOUR_MS)} where id = ${banned.userId}`;
  await story.sql`insert into public.marks (user_id, listing_id, mark) values (${hider.userId}, ${code}, 'hidden')`;
  for (const { userId } of [bare, paused, banned, hider]) {
    await receive(userId, [mailEvent(code, { priceEur: 700_000 })]);
    await receive(userId, [cut(code, 700_000, 650_000)]);
  }
  await story.sql`update public.filter_settings set is_paused = false where user_id = ${paused.userId}`;
  await story.round();
  story.portal.market.changePrice(story.advert(code), 650_000);
  await story.round();
  await receive(paused.userId, [cut(code, 700_000, 650_000)]);
  expect(await toldOf(bare.userId)).toEqual([]);
  expect(await toldOf(paused.userId)).toEqual([]);
  expect(await toldOf(banned.userId)).toEqual([]);
  expect(await toldOf(hider.userId)).toEqual([]);
  const rows = await story.sql`select user_id from public.listings where listing_id = ${code}`;
  expect(new Set(rows.map(({ user_id }) => user_id))).toEqual(
    new Set([bare.userId, paused.userId, banned.userId]),
  );
});

test("FIND-01 a listing known only from a mail has a card with the mail's facts, and is never marked as removed", async () => {
  const person = await addPerson();
  const said = {
    photoUrl: "https://img4.idealista.com/1.jpg",
    isPrivate: true,
    hasLift: true,
    floor: "4",
    areaM2: 50,
  };
  await receive(person.userId, [mailEvent("900001", { ...said, priceEur: 400_000 })], ago(2 * HOUR_MS));
  await receive(person.userId, [cut("900001", 400_000, 350_000)], ago(HOUR_MS));
  const cheaper = await asPerson(
    story.sql,
    person.userId,
    (db) => db`select public.my_finds('{"state": "cheaper"}') as page`,
  );
  expect(cheaper[0]?.page.finds).toEqual([
    expect.objectContaining({
      listingId: "900001",
      priceEur: 350_000,
      formerPriceEur: 400_000,
      goneAt: null,
    }),
  ]);
  await receive(person.userId, [mailEvent("900002", said)]);
  const [next] = await asPerson(story.sql, person.userId, (db) => db`select public.my_finds() as answer`);
  const cards = next?.answer.finds as { listingId: string }[];
  expect(cards.find(({ listingId }) => listingId === "900002")).toMatchObject({
    ...{
      listingId: "900002",
      pictureUrl: said.photoUrl,
      isPrivate: true,
      hasLift: true,
      floor: "4",
      areaM2: 50,
    },
    lastSeenAt: expect.any(String),
  });
});

test("MAIL-06 mails older than the address send at most three alerts in all, whatever their dates; a digest is one message", async () => {
  const person = await addPerson();
  const backlog = (n: number) => receive(person.userId, [mailEvent(`80000${n}`)], ago((25 + n) * HOUR_MS));
  await Promise.all([backlog(1), backlog(2)]);
  const many = Array.from({ length: 5 }, (_, n) => mailEvent(`81000${n}`));
  await receive(person.userId, many, new Date(Number.MIN_SAFE_INTEGER / 2));
  await backlog(3);
  expect(await toldOf(person.userId)).toHaveLength(3);
  expect(await story.sql`select from public.listings where user_id = ${person.userId}`).toHaveLength(8);
  expect(await story.sql`select from watch.sightings`).toHaveLength(0);
  // A missing date and one in the future count as now.
  const digest = Array.from({ length: 40 }, (_, n) => mailEvent(`fotocasa:82000${n}`));
  expect(await receive(person.userId, digest, null)).toEqual({ listingCount: 40, newCount: 40 });
  await receive(person.userId, [mailEvent("830001")], new Date(8.64e15));
  const alerts =
    await story.sql`select held_at, payload from watch.alerts where source = 'mail' order by position`;
  expect(alerts.map(({ held_at }) => held_at !== null)).toEqual([
    ...Array(3).fill(false),
    ...Array(40).fill(true),
    false,
  ]);
  const [note] = await story.sql`select sent_at from watch.mail_listings where listing_id = '830001'`;
  expect(note?.sent_at).toEqual(new Date(story.clock.now()));
});

test("MAIL-08 a mail is used only for its user, except for anonymous market prices", async () => {
  const person = await addPerson();
  const other = await addPerson();
  await story.round();
  const before = await story.sql`select count(*)::int as count from watch.portal_listings`;
  const around = Array.from({ length: 21 }, (_, n) =>
    mailEvent(`84000${n}`, { priceEur: 400_000, areaM2: 100 }),
  );
  await receive(other.userId, [
    ...around,
    mailEvent("850000", { isAuction: true, priceEur: 1_000, areaM2: 100 }),
  ]);
  await receive(person.userId, [mailEvent("860000", { priceEur: 300_000, areaM2: 100 })]);
  expect(await toldOf(person.userId)).toEqual([["new", "860000", 300_000]]);
  const [alert] = (await alertsOf(story.sql)).filter(({ listingId }) => listingId === "860000");
  const comparison = (alert?.payload.listing as { comparison: PriceComparison } | undefined)?.comparison;
  expect(comparison).toMatchObject({ place: "Ibiza" });
  const [figures] = await story.sql`select count(*)::int as count from watch.mail_figures`;
  expect(figures?.count).toBe(22);
  const [met] = await story.sql`
    select count(*)::int as count from watch.portal_listings
    where market_key = (select market_key from watch.mail_figures limit 1)`;
  expect(comparison?.samples).toBe(21 + met?.count);
  expect(await story.sql`select count(*)::int as count from watch.portal_listings`).toEqual(before);
  const columns = await story.sql`
    select column_name from information_schema.columns where table_schema = 'watch' and table_name in ('mail_figures', 'sightings')`;
  expect(columns.map(({ column_name }) => column_name)).not.toContain("user_id");
});
