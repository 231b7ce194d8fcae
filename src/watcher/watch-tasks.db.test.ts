import { expect, test } from "vitest";
import { setPaused } from "#telegram/bot/rows/chat-people.ts";
import { storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const RETIRO =
  "https://www.idealista.com/venta-viviendas/madrid/retiro/con-precio-hasta_900000/?ordenado-por=fecha-publicacion-desc";
const IN_MADRID = "https://www.idealista.com/venta-viviendas/madrid/";
const MADRID = "https://www.idealista.com/venta-viviendas/madrid-madrid/";
const story = storyForTests(3_000);

test("WATCH-03 WATCH-04 a filter starts without alerts for existing listings, then a new listing becomes a row and an alert per chat", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO, chatIds: ["71", "-72"] }]);
  await story.round();
  const started = await alertsOf(story.sql);
  expect(started.map(({ kind, chatId }) => [kind, chatId]).toSorted()).toEqual([
    ["watch-started", "-72"],
    ["watch-started", "71"],
  ]);
  expect(started[0]?.payload).toMatchObject({
    filterUrl: RETIRO,
    isAtLeast: expect.any(Boolean),
    newest: [{ operation: "sale" }, { operation: "sale" }, { operation: "sale" }],
  });
  expect(started[0]?.payload.matchCount).toBeGreaterThan(3);
  expect((await story.sql`select 1 from public.listings`).length).toBe(3);

  const code = story.publish(RETIRO);
  await story.round();
  const told = await alertsOf(story.sql, ["new"]);
  expect(told.map(({ chatId, listingId }) => [chatId, listingId]).toSorted()).toEqual([
    ["-72", code],
    ["71", code],
  ]);
  const [row] = await story.sql`select user_id, details from public.listings where listing_id = ${code}`;
  expect(row).toMatchObject({
    user_id: person?.userId,
    details: {
      price: expect.any(Number),
      url: expect.stringContaining(code),
      location: expect.stringContaining("Madrid"),
    },
  });
  await story.round();
  expect(await alertsOf(story.sql, ["new"])).toHaveLength(2);
});

test("WATCH-06 people with the same search, and others in the same place, share their requests", async () => {
  await addPeople(story.sql, [
    { url: RETIRO },
    { url: RETIRO },
    { url: MADRID },
    { url: `${IN_MADRID}salamanca/con-ascensor/` },
  ]);
  await story.round();
  story.portal.ledger.clear();
  await story.round();
  expect(story.portal.ledger.count("search")).toBe(1);
  story.publish(RETIRO);
  story.portal.ledger.clear();
  await story.round();
  // A new listing above adverts that kept their places costs no further page.
  expect(story.portal.ledger.count("search")).toBe(1);
  expect(await alertsOf(story.sql, ["new"])).toHaveLength(3);
});

test("pausing, deleting or banning takes effect immediately, before the next planning; a resumed filter goes on", async () => {
  const rounds = story.rounds();
  const people = await addPeople(story.sql, [
    { url: RETIRO },
    { url: RETIRO },
    { url: RETIRO },
    { url: RETIRO },
  ]);
  const [paused, deleted, banned, stays] = people.map(({ userId }) => userId);
  await story.round();
  await story.sql`update public.filter_settings set is_paused = true where user_id = ${paused ?? ""}`;
  await story.sql`delete from public.filter_settings where user_id = ${deleted ?? ""}`;
  await story.sql`update auth.users set banned_until = now() + interval '1 day' where id = ${banned ?? ""}`;
  const code = story.publish(RETIRO);
  for (const key of await rounds.findDue(10)) await rounds.check(key, new AbortController().signal);
  expect((await alertsOf(story.sql, ["new"])).map(({ userId }) => userId)).toEqual([stays]);
  await story.round();
  await story.sql`update public.filter_settings set is_paused = false where user_id = ${paused ?? ""}`;
  await story.round();
  expect(
    (await alertsOf(story.sql, ["watch-started"])).filter(({ userId }) => userId === paused),
  ).toHaveLength(1);
  expect(await story.kindsOf(code)).toEqual(["new", "new"]);
});

test("BOT-04 /resume is answered once: a search that goes on soon is not announced again, a changed one everywhere", async () => {
  const chats = ["801", "802"] as const;
  const [person] = await addPeople(story.sql, [{ url: RETIRO, chatIds: chats }]);
  await story.sql`update public.chats set confirmed_at = now()`;
  const greeted = async () =>
    (await alertsOf(story.sql, ["watch-started"])).map(({ chatId }) => chatId).toSorted();
  await story.round();
  expect(await greeted()).toEqual([...chats]);
  const from = { userId: person?.userId ?? "", chatId: chats[0] };
  expect(await setPaused(story.sql, from, true)).toBe(true);
  await story.round();
  expect(await setPaused(story.sql, from, false)).toBe(true);
  await story.round();
  expect(await greeted()).toEqual([...chats]);
  await story.sql`update public.searches set filter_url = ${RETIRO.replace("retiro", "chamberi")}`;
  await story.round();
  expect(await greeted()).toEqual([chats[0], chats[0], chats[1], chats[1]]);
});

test("a feed without searches is not checked", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  await story.sql`delete from public.filter_settings`;
  expect(await story.round()).toEqual([]);
});

test("a changed filter starts with the current listings, and known listings are not announced again", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const code = story.publish(RETIRO, { priceEur: 500_000 });
  await story.round();
  await story.sql`update public.filter_settings set filter_url = ${MADRID} where user_id = ${person?.userId ?? ""}`;
  await story.round();
  await story.round();
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(2);
  expect(await story.kindsOf(code)).toEqual(["new"]);
  const next = story.publish(RETIRO);
  await story.round();
  expect(await story.kindsOf(next)).toEqual(["new"]);
});

test("another spelling of the same search changes nothing", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  await story.sql`update public.filter_settings set filter_url = ${RETIRO.replace(".com/", ".com/en/")}`;
  const code = story.publish(RETIRO);
  await story.round();
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(1);
  expect(await story.kindsOf(code)).toEqual(["new"]);
});

test("a search whose feed is merged into a larger one misses nothing and gets nothing twice", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const before = story.publish(RETIRO);
  await story.round();
  const between = story.publish(RETIRO);
  await addPeople(story.sql, [{ url: MADRID }]);
  await story.round();
  const after = story.publish(RETIRO);
  await story.round();
  await story.round();
  expect(
    (await story.sql`select key from watch.feeds where idle_since is null`).map(({ key }) => key),
  ).toEqual(["official sale homes 0-EU-ES-28-07-001-079"]);
  const retiro = (await alertsOf(story.sql)).filter(
    ({ kind, userId, payload }) => kind === "new" && payload && userId,
  );
  const [first] = retiro;
  const told = retiro.filter(({ userId }) => userId === first?.userId).map(({ listingId }) => listingId);
  expect(told).toEqual([before, between, after]);
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(2);
});

test("a search that moves to a more recently checked feed gets the listings that only the new feed saw", async () => {
  const rounds = story.rounds();
  const [retiro] = await addPeople(story.sql, [{ url: RETIRO }, { url: `${IN_MADRID}chamberi/` }]);
  await story.round();
  // The old feeds are not checked while a feed of the whole city is created and checked; the searches start on it afterwards.
  const between = story.publish(RETIRO);
  await addPeople(story.sql, [{ url: `${IN_MADRID}centro/` }]);
  await rounds.compile();
  const city = "official sale homes 0-EU-ES-28-07-001-079";
  await rounds.check(city, new AbortController().signal);
  await rounds.join();
  const told = (await alertsOf(story.sql, ["new"])).filter(({ userId }) => userId === retiro?.userId);
  expect(told.map(({ listingId }) => listingId)).toEqual([between]);
});

test("a search that moves twice before either feed is checked gets each listing once, and nothing of its baseline", async () => {
  const rounds = story.rounds();
  const [retiro] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const before = story.publish(RETIRO);
  await story.round();
  const between = story.publish(RETIRO);
  for (const url of [MADRID, MADRID.replace("madrid-madrid", "madrid-provincia")]) {
    await addPeople(story.sql, [{ url }]);
    await rounds.compile();
  }
  await story.round();
  await story.round();
  const told = (await alertsOf(story.sql, ["new"])).filter(({ userId }) => userId === retiro?.userId);
  expect(told.map(({ listingId }) => listingId)).toEqual([before, between]);
});

test("WATCH-02 nothing is missed if several pages are new, or after hours without a check", async () => {
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const codes = Array.from({ length: 130 }, () => story.publish(RETIRO));
  story.clock.advance(6 * 3_600_000);
  await story.round();
  const found = (await alertsOf(story.sql, ["new"])).map(({ listingId }) => listingId);
  expect(found.toSorted()).toEqual(codes.toSorted());
});

test("a check that lost its lease cannot commit", async () => {
  const rounds = story.rounds();
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const code = story.publish(RETIRO);
  const [key = ""] = await rounds.findDue(1);
  story.portal.faults.set({ fault: "slow", ms: 300, times: 1 });
  const late = rounds.check(key, new AbortController().signal);
  await expect
    .poll(async () => (await story.sql`select 1 from watch.feeds where lease_id is not null`).length)
    .toBe(1);
  story.clock.advance(60_000);
  expect(await story.rounds().check(key, new AbortController().signal)).toMatchObject({
    outcome: "checked",
    fresh: 1,
  });
  expect(await late).toEqual({ outcome: "fenced" });
  expect(await story.kindsOf(code)).toEqual(["new"]);
});

test("searches that the official API cannot serve use the URL source; without it they are reported as having no source", async () => {
  const metro = "https://www.idealista.com/geo/venta-viviendas/metro-sol/";
  await addPeople(story.sql, [{ url: metro }]);
  await story.round(story.rounds({ only: "official" }));
  expect((await story.sql`select problem, feed_key from watch.compiled_searches`)[0]).toEqual({
    problem: "no-source",
    feed_key: null,
  });
  const both = story.rounds();
  await both.prepare();
  await story.round(both);
  expect((await story.sql`select problem, feed_key from watch.compiled_searches`)[0]).toMatchObject({
    problem: null,
    feed_key: expect.stringContaining("by-url "),
  });
});

test("old data is deleted, except what is waiting or kept", async () => {
  const rounds = story.rounds();
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round();
  const [waiting = "", kept = ""] = [story.publish(RETIRO), story.publish(RETIRO)];
  await story.round();
  await story.sql`update watch.alerts set state = 'sent' where listing_id is distinct from ${waiting}`;
  await story.sql`insert into public.marks (user_id, listing_id, mark) values (${person?.userId ?? ""}, ${kept}, 'kept')`;
  await story.sql`
    insert into watch.mail_figures (listing_id, place_id, place_name, operation, price_per_m2_eur, last_seen_at)
    select 'fotocasa:' || days, 'name:getafe', 'Getafe', 'sale', 4000, ${new Date(story.clock.now())}::timestamptz + days * interval '1 day'
    from unnest(array[0, 5]) as days`;
  expect(await story.sql`select from watch.sightings`).toHaveLength(2);
  story.clock.advance(91 * 86_400_000);
  await rounds.housekeep();
  expect(await story.sql`select from watch.sightings`).toHaveLength(0);
  expect((await story.sql`select listing_id from watch.mail_figures`).map((row) => row.listing_id)).toEqual([
    "fotocasa:5",
  ]);
  expect((await alertsOf(story.sql)).map(({ listingId }) => listingId)).toEqual([waiting]);
  expect((await story.sql`select listing_id from public.listings`).map((row) => row.listing_id)).toEqual([
    kept,
  ]);
});

test("DOOR-10 a chat that no search uses is deleted after a day, unless it recently asked for its id", async () => {
  const { sql } = story;
  const ago = (hours: number) => new Date(story.clock.now() - hours * 3_600_000);
  await addPeople(sql, [{ url: RETIRO, chatIds: ["901"] }]);
  await sql`
    insert into watch.chats (chat_id, title, created_at, asked_id_at) values
      (902, 'Met long ago', ${ago(25)}, null),
      (903, 'Asked long ago', ${ago(200)}, ${ago(25)}),
      (904, 'Asked lately', ${ago(200)}, ${ago(23)}),
      (905, 'Met lately', ${ago(1)}, null)`;
  await sql`update watch.chats set created_at = ${ago(200)}, asked_id_at = null where chat_id = 901`;
  await sql`insert into watch.chat_paces (chat_id, failing_since) values (901, now()), (902, now())`;
  await sql`
    insert into watch.alerts (chat_id, kind, payload, created_at)
    values (902, 'account-deleted', '{}', ${ago(24)}), (904, 'account-deleted', '{}', ${ago(0)})`;
  await story.rounds().housekeep();
  const ids = async (table: string) =>
    (await sql.unsafe(`select chat_id::text as id from ${table} order by 1`)).map(({ id }) => id);
  expect(await ids("watch.chats")).toEqual(["901", "904", "905"]);
  expect(await ids("watch.chat_paces")).toEqual(["901"]);
  expect(await ids("watch.alerts where user_id is null")).toEqual(["904"]);
});
