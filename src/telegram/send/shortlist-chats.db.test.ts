import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { connectPeople, listingOf, newListing, openChat } from "#test/delivery/delivery-fixture.ts";
import { type DeliveryRun, startDeliveryRun } from "#test/delivery/run-delivery.ts";
import { killDuringShortlist } from "#test/delivery/shortlist-kills.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { setReceives } from "../bot/rows/chat-people.ts";
import type { Dispatcher } from "./dispatcher.ts";

let database: TestDatabase;
let sql: Sql;
let delivery: DeliveryRun;
let sender: Dispatcher;
let shared = 0;
let ana = { user: "", chat: 0 };
let bob = { user: "", chat: 0 };

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 8 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

beforeEach(async () => {
  delivery = await startDeliveryRun({ sql });
  sender = await delivery.startSender();
  shared = openChat(delivery.telegram, "group");
  const own = [openChat(delivery.telegram, "private"), openChat(delivery.telegram, "private")] as const;
  const [first = "", second = ""] = await connectPeople(
    sql,
    own.map((id) => ({
      chats: [
        { id, kind: "private" as const },
        { id: shared, kind: "group" as const },
      ],
    })),
  );
  await sql`update public.profiles set full_name = 'Ana' where id = ${first}`;
  await sql`update public.profiles set full_name = 'Bob' where id = ${second}`;
  ana = { user: first, chat: own[0] };
  bob = { user: second, chat: own[1] };
});
afterEach(async () => {
  await delivery.close();
  // The next simulator gives its chats the same numbers.
  for (const table of ["watch.sender", "watch.chat_paces", "auth.users", "watch.alerts", "watch.chats"]) {
    await sql`delete from ${sql(table)}`;
  }
});

const mark = (user: string, code: string, to: string | null, saidIn: number | null = null) =>
  sql`select watch.mark_home(${user}, ${code}, ${to}, ${new Date(delivery.clock.now())}, ${saidIn})`;
const found = (code: string) =>
  delivery.add(
    ...[ana, bob].flatMap(({ user, chat }) => [newListing(user, chat, code), newListing(user, shared, code)]),
  );
const titles = (chat: number) => delivery.textsIn(chat).map((text) => text.split("\n")[0]);
const run = () => delivery.run(sender, 120_000);

test("RULE-05 a shortlist chat gets a home when somebody keeps it, with note and keeper, and “both” once", async () => {
  expect(await setReceives(sql, String(shared), "kept")).toBe(2);
  await found("501");
  await run();
  expect(titles(ana.chat)).toHaveLength(1);
  expect(titles(shared)).toEqual([]);
  await sql`select watch.note_home(${ana.user}, '501', 'Near the park', now(), null)`;
  await mark(ana.user, "501", "kept");
  await run();
  expect(titles(shared)).toEqual(["⭐ Kept by Ana · Trafalgar, Chamberí"]);
  expect(delivery.textsIn(shared)[0]).toContain("📝 Near the park");
  // Their own chats get nothing more.
  expect([titles(ana.chat).length, titles(bob.chat).length]).toEqual([1, 1]);
  await mark(bob.user, "501", "kept");
  await mark(bob.user, "501", null);
  await mark(bob.user, "501", "kept");
  await mark(ana.user, "501", "kept");
  await run();
  expect(titles(shared)).toEqual([
    "⭐ Kept by Ana · Trafalgar, Chamberí",
    "⭐ Kept by both: Ana and Bob · Trafalgar, Chamberí",
  ]);
});

test("RULE-05 a chat for homes kept by two waits for the second person", async () => {
  await setReceives(sql, String(shared), "kept-by-two");
  await found("601");
  await mark(ana.user, "601", "kept");
  await run();
  expect(titles(shared)).toEqual([]);
  await mark(bob.user, "601", "kept");
  await run();
  expect(titles(shared)).toEqual(["⭐ Kept by both: Ana and Bob · Trafalgar, Chamberí"]);
});

test("RULE-05 two people who press at once: each home once, “both” once", async () => {
  await setReceives(sql, String(shared), "kept");
  const codes = Array.from({ length: 15 }, (_, n) => String(700 + n));
  for (const code of codes) await found(code);
  await Promise.all(codes.flatMap((code) => [mark(ana.user, code, "kept"), mark(bob.user, code, "kept")]));
  await run();
  const kinds = await sql<{ listing: string; events: string }[]>`
    select listing_id as listing, string_agg(event_key, ',' order by event_key) as events from watch.alerts
    where kind = 'kept' and chat_id = ${shared} and state = 'sent' group by 1 order by 1`;
  expect(kinds).toEqual(codes.map((listing) => ({ listing, events: ",by-two" })));
  expect(titles(shared)).toHaveLength(30);
});

test("RULE-05 hiding a home in the shortlist sends nothing to the keeper's chat, but marks it", async () => {
  await setReceives(sql, String(shared), "kept");
  await found("801");
  await mark(ana.user, "801", "kept");
  await run();
  const before = titles(ana.chat).length;
  await mark(ana.user, "801", "hidden", shared);
  await run();
  expect(titles(ana.chat)).toHaveLength(before);
  expect(await sql`select mark from public.marks where user_id = ${ana.user}`).toEqual([{ mark: "hidden" }]);
  expect(titles(shared)).toHaveLength(1);
});

test("RULE-05 changes of a shortlisted home arrive, those of others do not; a moved group keeps its shortlist", async () => {
  await setReceives(sql, String(shared), "kept");
  await found("901");
  await found("902");
  await mark(ana.user, "901", "kept");
  await run();
  const drop = (code: string) => ({
    ...{ userId: ana.user, chatId: shared, kind: "price-drop" as const, eventKey: "1100" },
    payload: { listing: listingOf(code), formerPriceEur: 1300, dropPercent: 4 },
  });
  await delivery.add(drop("901"), drop("902"));
  await run();
  expect(titles(shared).map((title) => title?.slice(0, 2))).toEqual(["⭐ ", "📉"]);
  await sql`select watch.move_chat(${shared}, ${-1_009_999_999_999})`;
  expect((await sql`select chat_id::text, home_id from watch.shortlists`)[0]).toEqual({
    chat_id: "-1009999999999",
    home_id: "901",
  });
});

test("RULE-05 a second person who joins a shortlist chat does not fill it", async () => {
  await sql`update public.chats set receives = 'kept' where chat_id = ${shared}`;
  const [carla = ""] = await connectPeople(sql, [{ chats: [{ id: shared, kind: "group" }] }]);
  expect(await sql`select receives from public.chats where user_id = ${carla}`).toEqual([
    { receives: "kept" },
  ]);
});

const connectUnconfirmed = async (receives: string) => {
  const [mallory = ""] = await connectPeople(sql, [{ chats: [{ id: shared, kind: "group" }] }]);
  await sql`update public.profiles set full_name = 'Mallory' where id = ${mallory}`;
  await sql`update public.chats set confirmed_at = null, kind = null, title = null, receives = ${receives} where user_id = ${mallory}`;
  return mallory;
};
const exportOf = async (user: string) => {
  const [row] = await sql.begin(async (db) => {
    await db`select set_config('request.jwt.claims', ${JSON.stringify({ sub: user })}, true)`;
    return db`select private.my_alerts() as alerts`;
  });
  return JSON.stringify(row?.alerts);
};

test.each(["kept", "kept-by-two"])(
  "TIME-08 READ-09 an account that the chat did not confirm neither learns nor tells who kept a home (%s)",
  async (receives) => {
    await setReceives(sql, String(shared), "kept");
    const mallory = await connectUnconfirmed(receives);
    await found("511");
    await delivery.add(newListing(mallory, shared, "511"));
    await mark(ana.user, "511", "kept");
    await run();
    await mark(mallory, "511", "kept");
    await mark(bob.user, "511", "kept");
    await run();
    expect(titles(shared)).toEqual([
      "⭐ Kept by Ana · Trafalgar, Chamberí",
      "⭐ Kept by both: Ana and Bob · Trafalgar, Chamberí",
    ]);
    const own = await exportOf(mallory);
    expect(own).toContain('"511"');
    for (const other of ["Ana", "Bob", ana.user, bob.user, '"kept"']) expect(own).not.toContain(other);
    expect(await exportOf(ana.user)).not.toContain(bob.user);
  },
);

test("TIME-08 a keeper whom the chat no longer confirms is not named, also in an alert that waits", async () => {
  await setReceives(sql, String(shared), "kept");
  await found("521");
  await found("522");
  await mark(ana.user, "521", "kept");
  await mark(bob.user, "521", "kept");
  await mark(ana.user, "522", "kept");
  await sql`update public.chats set confirmed_at = null, kind = null, title = null where user_id = ${ana.user} and chat_id = ${shared}`;
  await run();
  expect(titles(shared)).toEqual([
    "⭐ Kept\u00a0· Trafalgar, Chamberí",
    "⭐ Kept by Bob · Trafalgar, Chamberí",
    "⭐ Kept\u00a0· Trafalgar, Chamberí",
  ]);
});

test("DOOR-10 TIME-08 neither name nor id of a deleted keeper stays in the other's alerts", async () => {
  await setReceives(sql, String(shared), "kept");
  await found("531");
  await mark(ana.user, "531", "kept");
  await mark(bob.user, "531", "kept");
  await sql`select private.delete_account(${ana.user})`;
  const [row] = await sql`select string_agg(alerts::text, ' ') as text, count(*)::int from watch.alerts`;
  expect(row?.count).toBeGreaterThan(0);
  for (const trace of ["Ana", ana.user]) expect(row?.text).not.toContain(trace);
  await run();
  expect(titles(shared)).toContain("⭐ Kept by Bob · Trafalgar, Chamberí");
});

test("READ-09 RULE-05 an account that the chat did not confirm does not learn that it is a shortlist, and does not fill it", async () => {
  await setReceives(sql, String(shared), "kept");
  const mallory = await connectUnconfirmed("everything");
  await sql`update public.chats set state = 'waiting' where user_id = ${mallory}`;
  await sql`update public.chats set state = 'connected' where user_id = ${mallory}`;
  const received = () => sql`select receives from public.chats where user_id = ${mallory}`;
  expect(await received()).toEqual([{ receives: "everything" }]);
  await delivery.add(newListing(mallory, shared, "541"));
  await run();
  expect(titles(shared)).toEqual([]);
  await sql`update public.chats set confirmed_at = now() where user_id = ${mallory}`;
  expect(await received()).toEqual([{ receives: "kept" }]);
});

test("RULE-05 nothing is lost or said twice when senders are killed", { tags: "long" }, async () => {
  const telegram = await startTelegramSimulator({ floodControl: false });
  try {
    const { arrivedTwice, ...report } = await killDuringShortlist({
      ...{ databaseUrl: database.url, sql, telegram, times: 2, homesPerKill: 3 },
    });
    expect(report).toEqual({ homes: 6, lostKept: 0, lostBoth: 0, writtenTwice: 0, others: [] });
    // A sender that dies after Telegram's answer and before recording it cannot know.
    expect(arrivedTwice).toBeLessThanOrEqual(2);
  } finally {
    await telegram.close();
  }
});
