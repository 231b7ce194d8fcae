import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** Tables with rows about a person, and the part of the export that has them. */
const EXPORTED: Readonly<Record<string, string>> = {
  "auth.identities": "sign_ins",
  "auth.sessions": "sessions",
  "auth.users": "account",
  "private.proven_addresses": "address_proved_at",
  "private.security_events": "security_events",
  "public.chats": "chats",
  "public.find_settings": "find_settings",
  "public.left_outs": "left_outs",
  "public.listings": "listings",
  "public.mail_addresses": "mail_address",
  "public.marks": "marks",
  "public.own_places": "own_places",
  "public.profiles": "profile",
  "public.received_mails": "received_mails",
  "public.searches": "searches",
  "watch.alerts": "alerts",
  "watch.away_mails": "alerts_mailed_at",
  "watch.chat_questions": "chat_questions",
  "watch.coverage": "coverage",
  "watch.gaps": "gaps",
  "watch.mail_listings": "mail_listings",
  "watch.search_chats": "search_chats",
  "watch.search_previews": "search_previews",
  "watch.told": "told",
  "watch.travel_times": "travel_times",
  "watch.unreachable_people": "unreachable_since",
  "watch.waiting_searches": "waiting_searches",
};

/** Tables that are not exported, and why. */
const KEPT_BACK: Readonly<Record<string, string>> = {
  "auth.flow_state": "codes of sign-ins under way",
  "auth.mfa_amr_claims": "how a session began, as its events say",
  "auth.one_time_tokens": "secrets",
  "auth.refresh_tokens": "secrets",
  "private.account_mails": "mails that are being sent",
  "private.known_addresses": "a hash of the address that the account has",
  "private.ended_grants": "when access last ended; the events say it too",
  "private.known_browsers": "hashes of secrets of browsers; the sign-ins are in the events",
  "private.mailed_links": "secrets of mailed links",
  "private.telegram_launches": "hashes of launches of two hours",
  "private.telegram_links": "permissions of a few minutes",
  "watch.compiled_searches": "computed from the searches",
  "watch.first_checks": "a limit of some days",
  "watch.link_tokens": "secrets of links to chats",
  "watch.mail_renewals": "a limit of a day",
  "watch.mailboxes": "how far a mailbox was read",
  "watch.mailed_steps": "a limit of a day",
  "watch.mails": "mails until they are read; what they said is exported",
  "watch.moved_places": "places whose travel times are to be computed anew",
  "watch.name_questions": "messages that wait for an answer",
  "watch.routing_requests": "a limit of an hour",
};

test("LAST-09 each table with rows about a person is exported, or it is written here why not", async () => {
  const tables = await database.sql<{ name: string }[]>`
    select distinct columns.table_schema || '.' || columns.table_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema in ('auth', 'private', 'public', 'watch')
      and columns.column_name in ('user_id', 'person_id', 'account_id', 'search_id')
    union
    select relnamespace::regnamespace || '.' || relname from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and confrelid in ('auth.users'::regclass, 'public.searches'::regclass, 'public.own_places'::regclass)
    order by 1`;
  const known = { ...EXPORTED, ...KEPT_BACK };
  const missing = tables.map(({ name }) => name).filter((name) => !(name in known));
  expect(missing).toEqual([]);
});

test("LAST-09 the export has each of these parts", async () => {
  const [export_] = await database.sql<{ source: string }[]>`
    select string_agg(prosrc, ' ') as source from pg_proc
    where proname in ('export_my_data', 'my_other_rows')`;
  const missing = Object.values(EXPORTED).filter((part) => !export_?.source.includes(`'${part}'`));
  expect(missing).toEqual([]);
});
