-- Sign-in: limits that survive a restart, the keys that all processes share, a person's sessions, and the deletion of
-- an account.

-- Keyed hashes: they reveal neither mail address nor network address.
create table private.guard_allowances (
  key bytea primary key,
  tokens double precision not null,
  refilled_at timestamptz not null,
  -- From then on the allowance is full and the row can be deleted.
  full_at timestamptz not null
);
comment on table private.guard_allowances is
  'Remaining allowances: of wrong passwords per account, of mails per address, and of accounts made in chats.';
create index guard_allowances_by_full_at on private.guard_allowances (full_at);

-- In the database, so that neither a restart nor a second process resets the count.
create table private.sign_ups (
  id bigint generated always as identity primary key,
  -- A keyed hash of the network address.
  address text not null check (length(address) between 1 and 100),
  at timestamptz not null
);
create index sign_ups_by_address on private.sign_ups (address, at);
create index sign_ups_by_time on private.sign_ups (at);
comment on table private.sign_ups is
  'Accounts made in the last 24 hours, one row each, by keyed hash of the address; the next sign-up deletes older rows.';

-- Created by the first process that starts. A replaced key is accepted for a while. hash_secret keys the hashes of
-- network addresses and browsers and is never replaced, because limits would start again.
create table private.server_keys (
  name text not null check (name in ('jwt_secret', 'publishable_key', 'hash_secret')),
  value text not null check (length(value) >= 32),
  made_at timestamptz not null default now(),
  -- Null for the current key.
  honoured_until timestamptz,
  primary key (name, value)
);
comment on table private.server_keys is 'The keys of the embedded Supabase, shared by all processes; one of each name is current.';
create unique index server_keys_in_use on private.server_keys (name) where honoured_until is null;

alter table private.guard_allowances enable row level security;
alter table private.sign_ups enable row level security;
alter table private.server_keys enable row level security;
revoke all on private.guard_allowances, private.sign_ups, private.server_keys from public, anon, authenticated, service_role;

-- Whether the session was authenticated recently. The embedded auth service records a password only when it was entered
-- again for this action; GoTrue records every sign-in. A sign-in with a provider counts if there is no password.
create function private.is_session_proved(session uuid, person uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.mfa_amr_claims as claims
    join auth.sessions on sessions.id = claims.session_id
    join auth.users on users.id = sessions.user_id
    where sessions.id = session and users.id = person
      and case claims.authentication_method
        when 'password' then claims.updated_at > now() - interval '10 minutes'
        when 'recovery' then claims.updated_at > now() - interval '15 minutes'
        when 'oauth' then coalesce(users.encrypted_password, '') = '' and claims.updated_at > now() - interval '10 minutes'
        else false
      end
  );
$$;

create function private.require_proof(session uuid, person uuid) returns void
  language plpgsql stable security definer set search_path = ''
as $$
begin
  -- The auth service has checked the password and counted wrong ones; this checks its proof.
  if not private.is_session_proved(session, person) then
    if exists (select from auth.users where id = person and coalesce(encrypted_password, '') <> '') then
      raise exception 'The current password is required' using errcode = 'PT403', detail = 'current_password_required';
    end if;
    raise exception 'Sign in again, then repeat this within ten minutes'
      using errcode = 'PT403', detail = 'reauthentication_needed';
  end if;
end;
$$;

-- Every table of ours with personal data references auth.users with `on delete cascade`. Tables of the auth service
-- without such a reference are listed here.
create function private.delete_account(person uuid) returns void
  language sql security definer set search_path = ''
as $$
  delete from auth.audit_log_entries
    where private.metadata_of(payload::jsonb) ->> 'actor_id' = person::text;
  delete from auth.flow_state where user_id = person;
  delete from auth.users where id = person;
$$;

create function public.delete_my_account(current_password text default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
begin
  perform private.require_proof(session, me);
  perform private.delete_account(me);
end;
$$;
comment on function public.delete_my_account(text) is
  'Deletes the caller''s account and everything kept about them; requires the current password, or a recent sign-in.';

-- Before the deletion, while the account's rows still name its chats.
create function private.notify_chats_of_deletion() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Every chat that the account ever used, including removed ones.
  met constant bigint[] := array(
    select chat_id from public.chats where user_id = old.id
    union select chat_id from watch.chat_questions where user_id = old.id
    union select chat_id from watch.alerts where user_id = old.id
    union select chat_id from watch.link_tokens where user_id = old.id and chat_id is not null
    union select telegram_id from watch.telegram_identities where user_id = old.id
  );
  forgotten bigint[];
begin
  insert into watch.deletion_notices (chat_id, language)
  select chats.chat_id, coalesce(known.language, profiles.language, known.telegram_language)
  from public.chats
  left join watch.chats as known on known.chat_id = chats.chat_id
  left join public.profiles on profiles.id = chats.user_id
  where chats.user_id = old.id and chats.state = 'connected'
  order by chats.chat_id
  on conflict (chat_id) do nothing;

  -- Nobody mails an account without an address.
  insert into watch.deletion_notices (chat_id, language)
  select known.chat_id, coalesce(known.language, profiles.language, known.telegram_language)
  from watch.chats as known left join public.profiles on profiles.id = old.id
  where coalesce(old.email, '') = '' and known.chat_id = private.chat_for_notices(old.id)
  on conflict (chat_id) do nothing;

  perform from watch.chats where chat_id = any (met) order by chat_id for update;
  delete from public.chats where user_id = old.id;

  forgotten := array(
    select id from unnest(met) as id where not exists (select from public.chats where chats.chat_id = id)
  );
  delete from watch.chats where chat_id = any (forgotten);
  delete from watch.chat_paces where chat_id = any (forgotten);
  delete from watch.moved_chats where from_chat_id = any (forgotten);
  update watch.link_tokens set chat_id = null where chat_id = any (forgotten);

  -- Other accounts may have added the id of such a chat without its consent: they keep the id, but not the name.
  update watch.chats set kind = null, title = null, language = null, telegram_language = null, asked_id_at = null,
    muted_until = null
  where chat_id = any (met) and not exists (
    select from public.chats where chats.chat_id = watch.chats.chat_id and chats.state not in ('waiting', 'declined')
  );

  -- The key of a feed for only their URL contains the URL. A feed that is being checked is deleted once it is idle.
  delete from watch.feeds where key in (
    select feeds.key from watch.feeds
    where feeds.source = 'by-url'
      and exists (select from watch.compiled_searches as own where own.feed_key = feeds.key and own.user_id = old.id)
      and not exists (select from watch.compiled_searches as own where own.feed_key = feeds.key and own.user_id <> old.id)
      and not exists (select from watch.demo_filters where demo_filters.feed_key = feeds.key)
    for update skip locked
  );
  return old;
end;
$$;

create trigger notify_chats_of_deletion
  before delete on auth.users
  for each row execute function private.notify_chats_of_deletion();

-- People cannot read the tables of the auth service. The token of an ended session sees nothing.
create function public.my_sessions() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(found) order by found.is_current desc, found.last_used_at desc, found.id), '[]')
  from (
    select sessions.id, sessions.user_agent, sessions.created_at,
      greatest(sessions.created_at, sessions.refreshed_at at time zone 'utc') as last_used_at,
      sessions.id = (select (auth.jwt() ->> 'session_id')::uuid) as is_current
    from auth.sessions
    where sessions.user_id = (select auth.uid())
      and exists (
        select from auth.sessions as own
        where own.id = (select (auth.jwt() ->> 'session_id')::uuid) and own.user_id = (select auth.uid())
      )
    order by is_current desc, last_used_at desc
    limit 100
  ) as found;
$$;
comment on function public.my_sessions() is 'The caller''s sessions, each with its browser, its start and its last use.';

create function public.end_my_session(session_id uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_session();
begin
  delete from auth.sessions where id = end_my_session.session_id and user_id = me;
  return found;
end;
$$;
comment on function public.end_my_session(uuid) is
  'Ends one of the caller''s sessions immediately. Returns whether it existed.';

create function public.has_password() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.users where id = (select auth.uid()) and coalesce(encrypted_password, '') <> ''
  );
$$;
comment on function public.has_password() is 'Whether the caller''s account has a password, or only a sign-in with a provider.';

revoke execute on all functions in schema private from public;
revoke execute on function public.delete_my_account(text), public.my_sessions(), public.end_my_session(uuid),
  public.has_password() from public, anon;
grant execute on function public.delete_my_account(text), public.my_sessions(), public.end_my_session(uuid),
  public.has_password() to authenticated;
