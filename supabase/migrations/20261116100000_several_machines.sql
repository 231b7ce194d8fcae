-- What every process on this database must agree on: with what sessions are signed, and which key opens the project. Made by
-- whichever process starts first. A key that was replaced is honoured for a while.

create table private.server_keys (
  name text not null check (name in ('jwt_secret', 'publishable_key')),
  value text not null check (length(value) >= 32),
  made_at timestamptz not null default now(),
  -- Null for the one in use.
  honoured_until timestamptz,
  primary key (name, value)
);

comment on table private.server_keys is 'The keys of the embedded Supabase, shared by all processes; of each name one is in use.';

create unique index server_keys_in_use on private.server_keys (name) where honoured_until is null;

alter table private.server_keys enable row level security;
revoke all on private.server_keys from public, anon, authenticated;

-- Sign-up asks for no proof of an address, so whoever first typed it may not be its owner: when Google vouches for the owner,
-- who thereby joins the account, everything that was set up without proof ends. On hosted Supabase nothing of ours can live
-- in the schema auth, where the embedded auth service had this before.

create table private.proven_addresses (
  user_id uuid primary key references auth.users (id) on delete cascade,
  proved_at timestamptz not null default now()
);

comment on table private.proven_addresses is 'Accounts whose address was shown to be its holder''s, by mail or by Google.';

alter table private.proven_addresses enable row level security;
revoke all on private.proven_addresses from public, anon, authenticated;

do $$
begin
  if to_regclass('auth.proven_addresses') is not null then
    insert into private.proven_addresses (user_id, proved_at) select user_id, proved_at from auth.proven_addresses;
    drop trigger if exists end_unproven_access on auth.identities;
    drop function if exists auth.end_unproven_access();
    drop table auth.proven_addresses;
  end if;
end
$$;

create function private.end_unproven_access() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  person constant uuid := new.user_id;
  is_hosted constant boolean := to_regclass('auth.one_time_tokens') is not null;
  -- GoTrue cannot read an account whose tokens are null; the embedded auth service knows no other way.
  no_token constant text := case when is_hosted then '' end;
  bare jsonb;
begin
  insert into private.proven_addresses (user_id) values (person) on conflict do nothing;
  if not found then
    return new;
  end if;
  delete from auth.sessions where user_id = person;
  if exists (select from auth.identities where user_id = person and id <> new.id) then
    select jsonb_build_object('sub', person, 'email', email) into bare from auth.users where id = person;
    update auth.users set encrypted_password = null, recovery_token = no_token, confirmation_token = no_token,
      raw_user_meta_data = case jsonb_typeof(raw_user_meta_data) when 'string' then to_jsonb(bare::text) else bare end
      where id = person;
    update auth.identities set
      identity_data = case jsonb_typeof(identity_data) when 'string' then to_jsonb(bare::text) else bare end
      where user_id = person and id <> new.id;
    if is_hosted then
      execute 'delete from auth.one_time_tokens where user_id = $1' using person;
    end if;
  end if;
  perform private.forget_setup(person);
  return new;
end;
$$;

revoke execute on function private.end_unproven_access() from public;

create trigger end_unproven_access
  after insert on auth.identities
  for each row when (new.provider <> 'email') execute function private.end_unproven_access();

-- Who sets a password by a link that came by mail has proved the address, and the password that was there before is gone.
create function private.note_proven_address() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.proven_addresses (user_id)
  select new.id
  where exists (
    select from auth.sessions join auth.mfa_amr_claims on mfa_amr_claims.session_id = sessions.id
    where sessions.user_id = new.id and mfa_amr_claims.authentication_method in ('recovery', 'otp')
      and mfa_amr_claims.updated_at > now() - interval '1 hour'
  )
  on conflict do nothing;
  return null;
end;
$$;

revoke execute on function private.note_proven_address() from public;

create trigger note_proven_address
  after update of encrypted_password on auth.users
  for each row when (new.encrypted_password is distinct from old.encrypted_password and new.encrypted_password <> '')
  execute function private.note_proven_address();
