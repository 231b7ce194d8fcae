import { randomUUID } from "node:crypto";
import type { PendingQuery, Row, Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";
import { createSessions } from "../sessions.ts";
import { GRANT_EVENTS, GRANTS, type GrantEvent, NO_GRANTS } from "./grants.ts";

let world: TestAuth;
let sql: Sql;
let made = 0;

beforeAll(async () => {
  world = await startTestAuth();
  ({ sql } = world.database);
});

afterAll(() => world.stop());

type Holder = { id: string; own: string; other: string; telegramId: number; groupId: number };
type GrantName = keyof typeof GRANTS;

/** A person with every grant. */
async function createHolder(): Promise<Holder> {
  made += 1;
  const [id, own, other] = [randomUUID(), randomUUID(), randomUUID()];
  const [telegramId, groupId] = [70_000 + made, -90_000 - made];
  const token = () => randomUUID().replaceAll("-", "");
  await sql.begin(async (db) => {
    await db`
      insert into auth.users (id, email, encrypted_password, email_change)
      values (${id}, ${`holder${made}@example.com`}, 'hash', 'new@example.com')`;
    for (const kind of ["recovery", "signup", "email_change"]) {
      await db`
        insert into private.mailed_links (token_hash, user_id, kind, email, sent_at, expires_at)
        values (${token()}, ${id}, ${kind}, 'new@example.com', now(), now() + interval '1 hour')`;
    }
    await db`insert into private.proven_addresses (user_id) values (${id})`;
    await db`
      insert into auth.identities (user_id, provider, provider_id, identity_data)
      values (${id}, 'email', ${id}, '{}'), (${id}, 'google', ${token()}, '{}'),
        (${id}, 'custom:telegram', ${String(telegramId)}, '{}')`;
    for (const session of [own, other]) {
      const flow = randomUUID();
      await db`insert into auth.sessions (id, user_id) values (${session}, ${id})`;
      await db`insert into auth.refresh_tokens (token, user_id, session_id) values (${token()}, ${id}, ${session})`;
      await db`
        insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
        values (${session}, now(), now(), 'oauth')`;
      await db`
        insert into auth.flow_state (id, browser_hash, provider_type, linking_target_id, linking_session_id, created_at)
        values (${flow}, 'x', 'custom:telegram', ${id}, ${session}, now())`;
      await db`
        insert into private.telegram_links (flow_id, session_id, user_id) values (${flow}, ${session}, ${id})`;
    }
    await db`
      insert into auth.flow_state (id, browser_hash, provider_type, user_id, auth_code, auth_code_issued_at, created_at)
      values (${randomUUID()}, 'x', 'google', ${id}, ${token()}, now(), now())`;
    await db`
      insert into watch.link_tokens (token_hash, user_id, expires_at)
      values (decode(${token()}, 'hex'), ${id}, now() + interval '15 minutes')`;
    for (const chat of [telegramId, groupId]) {
      await db`insert into watch.chats (chat_id, kind, standing) values (${chat}, ${chat > 0 ? "private" : "group"}, 'ok')`;
      await db`
        insert into public.chats (user_id, chat_id, state, confirmed_at) values (${id}, ${chat}, 'connected', now())`;
      await db`insert into watch.chat_questions (user_id, chat_id, answer, is_own) values (${id}, ${chat}, 'yes', true)`;
    }
    await db`insert into public.mail_addresses (user_id, token) values (${id}, ${token()})`;
    await db`insert into watch.away_mails (user_id, mailed_at) values (${id}, now())`;
    await db`
      insert into private.known_addresses (user_id, address_hash, last_used_at) values (${id}, decode(${token()}, 'hex'), now())`;
    await db`
      insert into private.known_browsers (user_id, browser_hash, last_used_at, session_id)
      values (${id}, decode(${token()}, 'hex'), now(), ${other})`;
  });
  return { id, own, other, telegramId, groupId };
}

/** Which grants a person still has. */
async function heldBy({ id, own, other, telegramId, groupId }: Holder): Promise<GrantName[]> {
  const exists = (query: PendingQuery<Row[]>) => sql`exists (${query})`;
  const flows = (session: string) => sql`
    select from auth.flow_state where linking_target_id = ${id} and linking_session_id = ${session}`;
  const links = (kind: string) =>
    sql`select from private.mailed_links where user_id = ${id} and kind = ${kind}`;
  const rows: Record<GrantName, PendingQuery<Row[]>> = {
    "own session": sql`select from auth.sessions where id = ${own}`,
    "another session": sql`select from auth.sessions where id = ${other}`,
    "refresh token of another session": sql`select from auth.refresh_tokens where session_id = ${other}`,
    "proof in the own session": sql`select from auth.mfa_amr_claims where session_id = ${own}`,
    "proof in another session": sql`select from auth.mfa_amr_claims where session_id = ${other}`,
    "code of a sign-in": sql`select from auth.flow_state where user_id = ${id}`,
    "link in progress": flows(own),
    "link in progress of another session": flows(other),
    "permission to link": sql`select from private.telegram_links where session_id = ${own}`,
    "permission to link of another session": sql`select from private.telegram_links where session_id = ${other}`,
    "reset link": links("recovery"),
    "confirmation link": links("signup"),
    "link to an added address": links("email_change"),
    "sign-in with Google": sql`select from auth.identities where user_id = ${id} and provider = 'google'`,
    "sign-in with Telegram": sql`
      select from auth.identities where user_id = ${id} and provider = 'custom:telegram'`,
    "launch of the Mini App": sql`
      select from auth.identities where user_id = ${id} and provider = 'custom:telegram'
        and not exists (select from private.ended_grants where user_id = ${id})`,
    "one-tap link of a chat": sql`select from watch.link_tokens where user_id = ${id} and used_at is null`,
    "private chat of the Telegram user": sql`
      select from watch.confirmed_chats where user_id = ${id} and chat_id = ${telegramId}`,
    "another chat": sql`select from watch.confirmed_chats where user_id = ${id} and chat_id = ${groupId}`,
    "answer of a chat": sql`select from watch.chat_questions where user_id = ${id}`,
    "address for alert mails": sql`select from public.mail_addresses where user_id = ${id}`,
    "link that stops mails": sql`select from watch.away_mails where user_id = ${id}`,
    "known network address": sql`select from private.known_addresses where user_id = ${id}`,
    "known browser": sql`select from private.known_browsers where user_id = ${id}`,
  };
  const names = Object.keys(rows) as GrantName[];
  const held = await Promise.all(names.map((name) => sql`select ${exists(rows[name])} as held`));
  return names.filter((_, index) => held[index]?.[0]?.held);
}

/** The statements of the embedded auth service, of GoTrue, or of the operator. */
async function raise(event: GrantEvent, { id, own }: Holder): Promise<void> {
  const sessions = createSessions({ sql, limits: { idleMs: 1e12, maxMs: 1e12 }, now: Date.now });
  const bearer = { userId: id, sessionId: own };
  const setPassword = () =>
    sql.begin(async (db) => {
      await db`select set_config('sereno.kept_session', ${own}, true)`;
      await db`update auth.users set encrypted_password = 'another' where id = ${id}`;
    });
  const unlink = (provider: string) =>
    sql.begin(async (db) => {
      const claims = JSON.stringify({ sub: id, session_id: own });
      await db`
        select set_config('request.jwt.claims', ${claims}, true), set_config('request.jwt.claim.sub', ${id}, true)`;
      await db`delete from auth.identities where user_id = ${id} and provider = ${provider}`;
    });
  const acts: Record<GrantEvent, () => Promise<unknown>> = {
    "password-changed": setPassword,
    "reset-used": async () => {
      await sql`update auth.mfa_amr_claims set authentication_method = 'recovery' where session_id = ${own}`;
      await setPassword();
    },
    "address-proved": async () => sql`select private.end_grants(${id}, 'address-proved', ${own})`,
    "provider-unlinked": () => unlink("google"),
    "telegram-disconnected": () => unlink("custom:telegram"),
    "signed-out-here": () => sessions.end(bearer, "local"),
    "signed-out-elsewhere": () => sessions.end(bearer, "others"),
    "signed-out-everywhere": () => sessions.end(bearer, "global"),
    suspended: async () =>
      sql`update auth.users set banned_until = now() + interval '100 years' where id = ${id}`,
    deleted: async () => sql`delete from auth.users where id = ${id}`,
  };
  await acts[event]();
}

test.each(GRANT_EVENTS)(
  "TIME-01 the event %s ends what is declared, and nothing else of anybody",
  async (event) => {
    const [person, bystander] = [await createHolder(), await createHolder()];
    const all = Object.keys(GRANTS) as GrantName[];
    expect(await heldBy(person)).toEqual(all);
    await raise(event, person);
    const ends = (name: GrantName) => (GRANTS[name].ends as readonly GrantEvent[]).includes(event);
    // One of the two chats has ended.
    const stays = (name: GrantName) => name === "answer of a chat" && event === "telegram-disconnected";
    expect(await heldBy(person)).toEqual(all.filter((name) => !ends(name) || stays(name)));
    expect(await heldBy(bystander)).toEqual(all);
  },
);

test("TIME-01 every column that looks like a grant is declared", async () => {
  const rows = await sql<{ name: string }[]>`
    select concat_ws('.', table_schema, table_name, column_name) as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema in ('auth', 'public', 'private', 'watch') and table_type = 'BASE TABLE'
      and column_name ~ '(token|code|secret|hash|hmac|session|challenge|nonce|password|allowed|confirmed)'
      and column_name !~ '_sent_at$' and column_name <> 'email_confirmed_at'
    order by 1`;
  const declared = [...Object.values(GRANTS).flatMap(({ columns }) => columns), ...Object.keys(NO_GRANTS)];
  expect(rows.map(({ name }) => name)).toEqual(declared.sort());
});

test("TIME-01 an event that is not declared is refused", async () => {
  const { id } = await createHolder();
  await expect(sql`select private.end_grants(${id}, 'signed-out')`).rejects.toThrow(/No grant is declared/);
});
