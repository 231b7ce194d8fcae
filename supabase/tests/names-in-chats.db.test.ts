// Which words of an account reach others. A new kind of alert, field of a payload or function that reads names must be added here.
import { readFile } from "node:fs/promises";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AlertPayloads } from "#core/alert/alert.ts";
import { ALERT_KINDS, type AlertKind } from "#core/alert/alert-kinds.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { connectPeople } from "#test/delivery/delivery-fixture.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 2 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/**
 * A fact is the portal's or ours. An id names a row; its words are read when the message is rendered. `own` is the recipient's,
 * masked or written by themselves, and goes with the account.
 */
type Field = "fact" | "id" | "own";
type KeysOf<Payload> = Payload extends unknown ? keyof Payload : never;
type Classified = {
  readonly [Kind in AlertKind]: { readonly [Name in KeysOf<AlertPayloads[Kind]> & string]: Field };
};

const LISTING = { listing: "fact" } as const;

const PAYLOADS: Classified = {
  new: { ...LISTING, formerListingId: "id", formerPriceEur: "fact", isOfDigest: "fact" },
  "price-drop": { ...LISTING, formerPriceEur: "fact", dropPercent: "fact", isOfDigest: "fact" },
  back: LISTING,
  gone: LISTING,
  kept: { ...LISTING, keeperIds: "id", isByTwo: "fact" },
  "watch-started": {
    filterUrl: "own",
    matchCount: "fact",
    isAtLeast: "fact",
    newest: "fact",
    occasion: "fact",
  },
  "source-down": {
    ...{ sinceMs: "fact", reason: "fact", untilMs: "fact", isServedByMail: "fact", isFlapping: "fact" },
  },
  gap: { fromMs: "fact", untilMs: "fact", cause: "fact" },
  "source-up": { sinceMs: "fact", untilMs: "fact", mayHaveMissed: "fact", reason: "fact" },
  question: {},
  connected: {},
  test: {},
  "summary-offer": { searchId: "id", found: "fact" },
  "forwarding-question": { code: "fact", link: "fact" },
  "account-notice": {
    ...{ notice: "fact", chatId: "id", browser: "own", platform: "own", atMs: "fact", email: "own" },
  },
  "account-deleted": {},
  "telegram-disconnected": {},
  "access-ended": {},
};

test("TIME-08 each kind of alert is classified, and no payload has words of somebody else", async () => {
  const kinds = await sql<{ kind: string }[]>`select kind from watch.alert_kinds`;
  const known = Object.keys(PAYLOADS).sort();
  expect(known).toEqual([...new Set([...Object.keys(ALERT_KINDS), ...kinds.map(({ kind }) => kind)])].sort());
});

/** Functions that read a person's name, and to whom they tell it. */
const READERS: Readonly<Record<string, string>> = {
  "private.names_in_chat": "the chat, if it confirmed both the person and the reader",
  "private.account_in_chat": "the person's own confirmed private chat; others read it masked",
  "private.masked_account": "everybody, as one letter",
  "public.describe_address_link": "who has the link that was mailed to the account's address",
  "private.follow_auth_user": "nobody: copies it to the person's profile",
  "private.full_name_of": "nobody: reads it from the sign-up",
  "private.plain_name": "nobody: cleans it",
};
/** Functions that answer the caller about themselves. */
const OWN = ["private.my_account", "public.export_my_data"];

test("TIME-08 every function that reads a name of a person is listed", async () => {
  const rows = await sql<{ name: string }[]>`
    select distinct namespace.nspname || '.' || proname as name
    from pg_proc join pg_namespace as namespace on namespace.oid = pronamespace
    where nspname in ('private', 'public', 'watch') and prosrc ~ 'full_name|plain_name'`;
  const names = rows.map(({ name }) => name);
  expect(names.filter((name) => !(name in READERS) && !OWN.includes(name))).toEqual([]);
  expect(names).toContain("private.names_in_chat");
});

test("TIME-08 a function that writes alerts from marks asks which people the chat confirmed", async () => {
  const rows = await sql<{ name: string; source: string }[]>`
    select namespace.nspname || '.' || proname as name, prosrc as source
    from pg_proc join pg_namespace as namespace on namespace.oid = pronamespace
    where nspname in ('private', 'public', 'watch') and prosrc ~ 'public\.marks' and prosrc ~ 'insert into watch\.alerts'`;
  expect(rows.map(({ name }) => name)).toContain("watch.announce_kept");
  for (const { name, source } of rows) expect(source, name).toContain("watch.confirmed_chats");
});

test("DOOR-10 alerts that were written with names lose them, and those who kept a home become ids", async () => {
  const [ana = "", bob = ""] = await connectPeople(
    sql,
    [1, 2].map(() => ({ chats: [{ id: -77, kind: "group" as const }] })),
  );
  await sql`insert into public.marks (user_id, listing_id, mark) values (${ana}, '1', 'kept')`;
  const former = [
    { user: bob, kind: "kept", payload: { listing: { a: 1 }, keepers: ["Ana", "Zoe"], isByTwo: true } },
    { user: ana, kind: "question", payload: { account: "a***@example.com" } },
    { user: ana, kind: "connected", payload: { account: "a***@example.com" } },
    { user: ana, kind: "summary-offer", payload: { searchId: "s", name: "Flat", filterUrl: "u", found: 41 } },
  ];
  for (const { user, kind, payload } of former) {
    await sql`
      insert into watch.alerts (user_id, chat_id, kind, listing_id, payload)
      values (${user}, -77, ${kind}, '1', ${sql.json(payload)})`;
  }
  const text = await readFile(
    new URL("../migrations/20261118200000_names_in_chats.sql", import.meta.url),
    "utf8",
  );
  const updates = text.match(/^update watch\.alerts[^;]*;/gm) ?? [];
  expect(updates).toHaveLength(3);
  for (const update of updates) await sql.unsafe(update);
  const rows = await sql<
    { payload: object }[]
  >`select payload from watch.alerts where chat_id = -77 order by position`;
  expect(rows.map(({ payload }) => payload)).toEqual([
    { listing: { a: 1 }, keeperIds: [ana], isByTwo: true },
    {},
    {},
    { searchId: "s", found: 41 },
  ]);
});
