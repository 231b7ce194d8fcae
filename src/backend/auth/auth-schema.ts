import type { Sql } from "postgres";

/**
 * What the auth service's schema needs besides its tables. People may call `auth.uid()` by name, as on hosted Supabase.
 * An account is found by its address without reading all of them.
 * How a session was proved is kept where GoTrue keeps it. An ended session is announced, so that realtime lets go of it.
 * And since sign-up asks for no proof of an address, whoever first typed it may not be its owner: when Google vouches
 * for the owner, who thereby joins the account, everything that was set up without proof ends.
 */
export async function completeAuthSchema(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('auth-schema'))`;
    await transaction`set local client_min_messages = error`;
    await transaction`grant usage on schema auth to anon, authenticated, service_role`;
    await transaction.unsafe(ACCOUNTS_BY_ADDRESS);
    await transaction.unsafe(SESSION_PROOFS);
    await transaction.unsafe(ANNOUNCE_ENDED_SESSIONS);
    await transaction.unsafe(END_UNPROVEN_ACCESS);
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
  alter table auth.mfa_amr_claims enable row level security;

  create table if not exists auth.proven_addresses (
    user_id uuid primary key references auth.users (id) on delete cascade,
    proved_at timestamptz not null default now()
  );
  comment on table auth.proven_addresses is 'Accounts whose address was shown to be its holder''s, by mail or by Google.';
  alter table auth.proven_addresses enable row level security;`;

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

// What there is beyond the account itself only the migrations know; they say so in private.forget_setup, if at all.
const END_UNPROVEN_ACCESS = `
  create or replace function auth.end_unproven_access() returns trigger
    language plpgsql security definer set search_path = ''
  as $$
  declare
    person constant uuid := new.user_id;
    bare jsonb;
  begin
    insert into auth.proven_addresses (user_id) values (person) on conflict do nothing;
    if not found then
      return new;
    end if;
    delete from auth.sessions where user_id = person;
    if exists (select from auth.identities where user_id = person and id <> new.id) then
      select jsonb_build_object('sub', person, 'email', email) into bare from auth.users where id = person;
      update auth.users set encrypted_password = null, recovery_token = null, confirmation_token = null,
        raw_user_meta_data = case jsonb_typeof(raw_user_meta_data) when 'string' then to_jsonb(bare::text) else bare end
        where id = person;
      update auth.identities set
        identity_data = case jsonb_typeof(identity_data) when 'string' then to_jsonb(bare::text) else bare end
        where user_id = person and id <> new.id;
    end if;
    if to_regprocedure('private.forget_setup(uuid)') is not null then
      execute 'select private.forget_setup($1)' using person;
    end if;
    return new;
  end;
  $$;
  create or replace trigger end_unproven_access
    after insert on auth.identities
    for each row when (new.provider <> 'email') execute function auth.end_unproven_access();`;
