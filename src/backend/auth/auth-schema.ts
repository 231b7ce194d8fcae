import type { Sql } from "postgres";

/**
 * What the auth service's schema needs besides its tables. People may call `auth.uid()` by name, as on hosted Supabase.
 * An account is found by its address without reading all of them.
 * How a session was proved is kept where GoTrue keeps it. An ended session is announced, so that realtime lets go of it.
 */
export async function completeAuthSchema(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('auth-schema'))`;
    await transaction`set local client_min_messages = error`;
    await transaction`grant usage on schema auth to anon, authenticated, service_role`;
    await transaction.unsafe(ACCOUNTS_BY_ADDRESS);
    await transaction.unsafe(SESSION_PROOFS);
    await transaction.unsafe(ANNOUNCE_ENDED_SESSIONS);
  });
}

/** Where the ids of ended sessions are told, by NOTIFY. */
export const ENDED_SESSIONS_CHANNEL = "ended_sessions";

// lite's own index leaves out who came by single sign-on, and so serves no question that does not.
const ACCOUNTS_BY_ADDRESS = `
  create index if not exists users_by_email on auth.users (email);
  create index if not exists users_by_lower_email on auth.users (lower(email));`;

const SESSION_PROOFS = `
  create table if not exists auth.mfa_amr_claims (
    id uuid primary key default gen_random_uuid(),
    session_id uuid not null references auth.sessions (id) on delete cascade,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    authentication_method text not null,
    constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method)
  );
  alter table auth.mfa_amr_claims enable row level security;`;

const ANNOUNCE_ENDED_SESSIONS = `
  create or replace function auth.announce_ended_session() returns trigger
    language plpgsql set search_path = ''
  as $$
  begin
    perform pg_notify('${ENDED_SESSIONS_CHANNEL}', old.id::text);
    return null;
  end;
  $$;
  create or replace trigger announce_ended_session
    after delete on auth.sessions
    for each row execute function auth.announce_ended_session();`;
