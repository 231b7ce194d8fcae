import { expect, test } from "vitest";
import type { PriceComparison } from "#core/alert/alert.ts";
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
import { asPerson } from "#test/watching/many-finds.ts";
import { alertsOf } from "#test/watching/world.ts";

setUpMailStory();

test("MAIL-06 COVER-01 no alert is sent without a search, while banned, or for a hidden home; what a short pause held back is told after it", async () => {
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
  expect(await alertsSentTo(bare.userId)).toEqual([]);
  expect(await alertsSentTo(paused.userId)).toEqual([
    ["new", code, 700_000],
    ["price-drop", code, 650_000],
  ]);
  expect(await alertsSentTo(banned.userId)).toEqual([]);
  expect(await alertsSentTo(hider.userId)).toEqual([]);
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
  expect(await alertsSentTo(person.userId)).toHaveLength(3);
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
  await story.rounds().refreshChangedTowns();
  await receive(person.userId, [mailEvent("860000", { priceEur: 300_000, areaM2: 100 })]);
  expect(await alertsSentTo(person.userId)).toEqual([["new", "860000", 300_000]]);
  const [alert] = (await alertsOf(story.sql)).filter(({ listingId }) => listingId === "860000");
  const comparison = (alert?.payload.listing as { comparison: PriceComparison } | undefined)?.comparison;
  expect(comparison).toMatchObject({ place: "Ibiza" });
  const [figures] = await story.sql`select count(*)::int as count from watch.mail_figures`;
  expect(figures?.count).toBe(22);
  const [met] = await story.sql`
    select count(distinct home_id)::int as count from watch.portal_listings
    where place_id = (select place_id from watch.mail_figures limit 1)`;
  expect(comparison?.samples).toBe(21 + met?.count);
  expect(await story.sql`select count(*)::int as count from watch.portal_listings`).toEqual(before);
  const columns = await story.sql`
    select column_name from information_schema.columns where table_schema = 'watch' and table_name in ('mail_figures', 'sightings')`;
  expect(columns.map(({ column_name }) => column_name)).not.toContain("user_id");
});

test("RULE-01 MANY-02 a price cut is one for the search that found the home, and a new home for the one that left it out until now", async () => {
  const person = await addPerson(RETIRO, ["71", "72"]);
  const searchWith = async (chatId: string, rules: object[]) => {
    const [row] = await story.sql`
      insert into public.searches (user_id, filter_url, receiver_ids, rules)
      values (${person.userId}, ${RETIRO}, array[${chatId}], ${story.sql.json(rules as never)}) returning id`;
    return String(row?.id);
  };
  const rule = { on: "advertiser", is: "agency", act: "leave-out" };
  await story.sql`delete from public.searches where user_id = ${person.userId}`;
  const [finds, leavesOut] = [await searchWith("71", []), await searchWith("72", [rule])];
  await receive(person.userId, [mailEvent("910001", { priceEur: 500_000, isPrivate: false })]);
  const isAgency = { isPrivate: false } as const;
  await receive(person.userId, [{ ...cut("910001", 500_000, 480_000), ...isAgency }]);
  await story.sql`update public.searches set rules = '[]' where id = ${leavesOut}`;
  await receive(person.userId, [{ ...cut("910001", 480_000, 450_000), ...isAgency }]);
  const told = (await alertsOf(story.sql, ["new", "price-drop"])).map(({ chatId, kind, payload }) => [
    ...[chatId, kind, (payload.listing as { priceEur: number }).priceEur],
  ]);
  expect(told).toEqual([
    ["71", "new", 500_000],
    ["71", "price-drop", 480_000],
    ["71", "price-drop", 450_000],
    ["72", "new", 450_000],
  ]);
  const [row] =
    await story.sql`select to_jsonb(search_ids) as ids from public.listings where listing_id = '910001'`;
  expect([...(row?.ids ?? [])].sort()).toEqual([finds, leavesOut].sort());
  const left = await story.sql`select search_id from public.left_outs where returned_at is null`;
  expect(left).toEqual([]);
});
