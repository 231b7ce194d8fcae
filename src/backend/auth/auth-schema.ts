import { readFile } from "node:fs/promises";
import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { StartError } from "../postgres/start-error.ts";

export const ENDED_SESSIONS_CHANNEL = "ended_sessions";

type GrantedVerb = "select" | "insert" | "update" | "delete";

/** All rights of the auth service's login role. It owns nothing and has no rights on `public` or `watch`. */
export const AUTH_GRANTS: readonly { table: string; verbs: readonly GrantedVerb[] }[] = [
  { table: "auth.users", verbs: ["select", "insert", "update"] },
  { table: "auth.identities", verbs: ["select", "insert", "update"] },
  { table: "auth.sessions", verbs: ["select", "insert", "update", "delete"] },
  { table: "auth.refresh_tokens", verbs: ["select", "insert", "update", "delete"] },
  { table: "auth.mfa_amr_claims", verbs: ["select", "insert", "update", "delete"] },
  { table: "auth.flow_state", verbs: ["select", "insert", "update", "delete"] },
  { table: "private.guard_allowances", verbs: ["select", "insert", "update", "delete"] },
  { table: "private.known_addresses", verbs: ["select", "insert", "update", "delete"] },
  { table: "private.mailed_links", verbs: ["select", "insert", "delete"] },
  { table: "private.ended_grants", verbs: ["select"] },
  { table: "private.telegram_launches", verbs: ["select", "insert", "update", "delete"] },
  { table: "private.sign_ups", verbs: ["select", "insert", "update", "delete"] },
];

/** They record security events, which the role can neither read nor change, and enter or link accounts by Telegram. */
export const AUTH_FUNCTIONS: readonly string[] = [
  "private.record_auth_event(uuid, text, text, text, bytea, uuid, timestamptz)",
  "private.take_mailed_link(text, text, timestamptz)",
  "private.admit_telegram_account(bigint, timestamptz)",
  "private.enter_by_telegram(bigint, jsonb)",
  "private.connect_chat_at_sign_in(uuid, bigint, text)",
  "private.link_telegram(uuid, bigint, jsonb)",
  "private.lock_person(uuid)",
  "private.end_grants(uuid, text, uuid)",
];

/** Creates or completes the schema `auth`. Never called on hosted Supabase, which has its own. */
export async function createAuthSchema(sql: Sql): Promise<void> {
  const text = await readFile(new URL("./auth-schema.sql", import.meta.url), "utf8");
  await inTransaction(sql, async (db) => {
    await db`select pg_advisory_xact_lock(hashtext('auth-schema'))`;
    await requireOwnAccounts(db);
    await db`set local client_min_messages = error`;
    await db.unsafe(text);
  });
}

const POLICY = "The auth service reads and writes";

/** Grants the auth service's login role exactly the rights it needs on these schemas, and revokes all others. */
export async function grantToAuthRole(sql: Sql, role: string): Promise<void> {
  await inTransaction(sql, async (db) => {
    const name = db(role);
    await db`set local client_min_messages = error`;
    await db`revoke all on all tables in schema auth, private from ${name}`;
    await db`grant usage on schema auth, private to ${name}`;
    await db`grant execute on function ${db.unsafe(AUTH_FUNCTIONS.join(", "))} to ${name}`;
    const present = await db<{ table: string }[]>`
      select polrelid::regclass::text as table from pg_policy where polname = ${POLICY}`;
    for (const { table, verbs } of AUTH_GRANTS) {
      await db`grant ${db.unsafe(verbs.join(", "))} on ${db(table)} to ${name}`;
      // Row-level security is on for these tables, and the role is not their owner. Creating a policy locks the table,
      // so existing ones are kept.
      if (present.some((policy) => policy.table === table)) continue;
      await db`create policy ${db(POLICY)} on ${db(table)} to ${name} using (true) with check (true)`;
    }
  });
}

async function requireOwnAccounts(sql: Pick<Sql, "unsafe">): Promise<void> {
  const [row] = await sql.unsafe(`
    select to_regclass('auth.users') is not null and not exists (
      select from information_schema.columns
      where table_schema = 'auth' and table_name = 'sessions' and column_name = 'refresh_token_hmac_key'
    ) as "isForeign"`);
  if (!row?.isForeign) return;
  throw new StartError(
    "The schema auth of this database was not made by this version of Sereno, which cannot read its accounts: start with an empty database, or set SUPABASE_URL if it is a hosted Supabase.",
  );
}
