// Proofs of an address, written to the database as the auth service does.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";

/** Opens a session; "recovery" means by a link from a mail. */
export async function openSession(sql: Sql, userId: string, method?: "recovery"): Promise<string> {
  const id = randomUUID();
  await sql`insert into auth.sessions (id, user_id) values (${id}, ${userId})`;
  if (method !== undefined) {
    await sql`
      insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
      values (${randomUUID()}, ${id}, ${method}, now(), now())`;
  }
  return id;
}

/** The owner sets a password by a link from a mail. Returns the session. */
export async function proveByMail(sql: Sql, userId: string): Promise<string> {
  const session = await openSession(sql, userId, "recovery");
  await sql`update auth.users set encrypted_password = ${randomUUID()} where id = ${userId}`;
  return session;
}

/** The owner signs in with Google, which links the Google account. */
export async function proveByGoogle(sql: Sql, userId: string): Promise<void> {
  await sql`
    insert into auth.identities (id, provider_id, user_id, provider, identity_data)
    values (${randomUUID()}, ${randomUUID()}, ${userId}, 'google', '{}')`;
}

/** Calls a function of the data API as the user of this session. */
export async function callAs(
  sql: Sql,
  { userId, session }: { userId: string; session: string },
  name: string,
) {
  return sql.begin(async (db) => {
    const claims = JSON.stringify({ sub: userId, role: "authenticated", session_id: session });
    await db`select set_config('request.jwt.claims', ${claims}, true), set_config('request.jwt.claim.sub', ${userId}, true)`;
    await db`set local role authenticated`;
    const [row] = await db<{ value: unknown }[]>`select ${db(`public.${name}`)}() as value`;
    return row?.value;
  });
}
