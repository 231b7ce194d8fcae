-- Sign-up does not prove an address, so the person who set an account up may not own the address. When the owner first
-- proves it by mail, everything set up before is held: nothing is sent, and no chat can read or change the account,
-- until its owner confirms or removes the setup. A proof by Google removes everything. Telegram proves no address: a
-- sign-in with it that was added before the proof ends.

create table private.proven_addresses (
  user_id uuid primary key references auth.users (id) on delete cascade,
  proved_at timestamptz not null default now()
);
comment on table private.proven_addresses is 'Accounts whose address was proved by mail or by Google.';

create table private.held_setups (
  user_id uuid primary key references auth.users (id) on delete cascade,
  held_at timestamptz not null default now()
);
comment on table private.held_setups is
  'Accounts whose setup is older than the first proof of their address by mail and waits for confirmation.';

-- Keyed hashes: they reveal neither network address nor browser.
create table private.known_addresses (
  user_id uuid not null references auth.users (id) on delete cascade,
  address_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, address_hash)
);
comment on table private.known_addresses is
  'The latest network addresses an account signed in from: a stranger''s guesses do not lock its owner out there.';

create table private.known_browsers (
  user_id uuid not null references auth.users (id) on delete cascade,
  browser_hash bytea not null,
  last_used_at timestamptz not null,
  -- The latest session started with it: while that session lives, the browser is in use.
  session_id uuid,
  mailed_at timestamptz,
  primary key (user_id, browser_hash)
);
comment on table private.known_browsers is 'Browsers that accounts were signed in with, by keyed hash of family and platform.';
create index known_browsers_by_last_use on private.known_browsers (last_used_at);

create function watch.is_setup_held(person uuid) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (select from private.held_setups where user_id = person);
$$;
comment on function watch.is_setup_held(uuid) is 'Whether this account''s setup waits for its owner''s confirmation.';

-- A chat can read and change an account only after it has confirmed the account ("That's me", or Yes). Otherwise a
-- person who added a chat's id could read what the chat writes, and the chat could read any account that added its id.
create view watch.confirmed_chats with (security_invoker = true) as
  select user_id, chat_id, created_at from public.chats
  where state = 'connected' and confirmed_at is not null and not watch.is_setup_held(user_id);
comment on view watch.confirmed_chats is 'Which chats may read and write which accounts.';

-- The whole address, or the name of an account without one, only in a private chat that said "That's me". A chat that
-- merely accepts the alerts may be a stranger's whose id was mistyped, and others read a group.
create function private.account_in_chat(person uuid, chat bigint) returns text
  language sql stable security definer set search_path = ''
as $$
  select case
    when chat > 0 and exists (
      select from watch.confirmed_chats join watch.chat_questions as asked using (user_id, chat_id)
      where user_id = person and chat_id = chat and asked.is_own
    ) then (
      select coalesce(nullif(email, ''), private.plain_name(full_name), private.masked_account(person))
      from public.profiles where id = person
    )
    else private.masked_account(person)
  end;
$$;

create function private.has_setup(person uuid) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (select from public.searches where user_id = person)
    or exists (select from public.chats where user_id = person)
    or exists (select from public.mail_addresses where user_id = person)
    or exists (select from public.own_places where user_id = person)
    or exists (select from public.find_settings where user_id = person)
    or exists (select from public.marks where user_id = person);
$$;

create function private.forget_setup(person uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.searches where user_id = person;
  delete from public.chats where user_id = person;
  delete from public.listings where user_id = person;
  delete from public.own_places where user_id = person;
  delete from public.find_settings where user_id = person;
  delete from public.marks where user_id = person;
  delete from public.mail_addresses where user_id = person;
  delete from public.received_mails where user_id = person;
  delete from watch.mails where user_id = person;
  delete from watch.mailboxes where user_id = person;
  delete from watch.search_previews where user_id = person;
  delete from watch.link_tokens where user_id = person;
  delete from watch.chat_questions where user_id = person;
  delete from watch.waiting_searches where user_id = person;
  delete from watch.alerts where user_id = person;
  delete from watch.unreachable_people where user_id = person;
  update public.profiles set language = null, mails_when_away = true where id = person;
end;
$$;
comment on function private.forget_setup(uuid) is 'Removes everything a person set up, and nothing of the account itself.';

create function private.end_unproven_access() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  person constant uuid := new.user_id;
  is_hosted constant boolean := to_regclass('auth.one_time_tokens') is not null;
  -- GoTrue cannot read an account whose tokens are null; the embedded auth service requires null.
  no_token constant text := case when is_hosted then '' end;
  bare jsonb;
begin
  insert into private.proven_addresses (user_id) values (person) on conflict do nothing;
  if not found then
    return new;
  end if;
  delete from auth.identities where user_id = person and provider = 'custom:telegram';
  delete from auth.sessions where user_id = person;
  delete from private.known_addresses where user_id = person;
  delete from private.known_browsers where user_id = person;
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

create trigger end_unproven_access
  after insert on auth.identities
  for each row when (new.provider not in ('email', 'custom:telegram')) execute function private.end_unproven_access();

-- A password set through a mailed link proves the address. Sessions that did not prove it end.
create function private.note_proven_address() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  proving constant uuid[] := array(
    select sessions.id from auth.sessions join auth.mfa_amr_claims on mfa_amr_claims.session_id = sessions.id
    where sessions.user_id = new.id and mfa_amr_claims.authentication_method in ('recovery', 'otp')
      and mfa_amr_claims.updated_at > now() - interval '1 hour'
  );
begin
  if cardinality(proving) = 0 then
    return null;
  end if;
  insert into private.proven_addresses (user_id) values (new.id) on conflict do nothing;
  if not found then
    return null;
  end if;
  delete from auth.identities where user_id = new.id and provider = 'custom:telegram';
  delete from auth.sessions where user_id = new.id and not (id = any (proving));
  delete from private.known_addresses where user_id = new.id;
  delete from private.known_browsers where user_id = new.id and not coalesce(session_id = any (proving), false);
  -- A concurrent change by a chat either comes first or is refused.
  perform private.lock_person(new.id);
  insert into private.held_setups (user_id) select new.id where private.has_setup(new.id);
  return null;
end;
$$;

create trigger note_proven_address
  after update of encrypted_password on auth.users
  for each row when (new.encrypted_password is distinct from old.encrypted_password and new.encrypted_password <> '')
  execute function private.note_proven_address();

-- If sign-up requires confirmation, as on hosted Supabase, the address is proved before anything is set up.
create function private.note_confirmed_address() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.proven_addresses (user_id) values (new.id) on conflict do nothing;
  return null;
end;
$$;

create trigger note_confirmed_address
  after update of email_confirmed_at on auth.users
  for each row when (old.email_confirmed_at is null and new.confirmation_sent_at <= new.email_confirmed_at)
  execute function private.note_confirmed_address();

-- An account without an address gets one only through a link mailed to it. The address is proved by that, and the Telegram
-- identity is older than the address: nothing ends and nothing is held.
create function private.note_added_address() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.proven_addresses (user_id) values (new.id) on conflict do nothing;
  perform private.note_security_event(new.id, 'email_added', null, null, 1, now());
  perform private.write_notice(new.id, jsonb_build_object(
    'notice', 'email-added', 'email', left(new.email, 1) || '***' || substring(new.email from '@.*$')
  ));
  return null;
end;
$$;

create trigger note_added_address
  after update of email on auth.users
  for each row when (
    coalesce(old.email, '') = '' and new.email = old.email_change and old.email_change_sent_at is not null
  )
  execute function private.note_added_address();

-- The access token of an ended session remains valid for a while and must not be accepted here.
create function private.require_session() returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null or not exists (
    select from auth.sessions where id = (select (auth.jwt() ->> 'session_id')::uuid) and user_id = me
  ) then
    raise exception 'Only a signed-in person can do this' using errcode = 'insufficient_privilege';
  end if;
  return me;
end;
$$;

create function public.my_held_setup() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'chats', (
      select coalesce(
        jsonb_agg(jsonb_build_object('chat_id', chat_id::text, 'kind', kind, 'title', title) order by created_at, chat_id), '[]'
      )
      from public.chats where chats.user_id = held.user_id
    ),
    'searches', (
      select coalesce(
        jsonb_agg(jsonb_build_object('id', id, 'name', name, 'filter_url', filter_url) order by is_first desc, created_at, id),
        '[]'
      )
      from public.searches as saved where saved.user_id = held.user_id
    ),
    'places', (
      select coalesce(jsonb_agg(name order by created_at, id), '[]') from public.own_places as place
      where place.user_id = held.user_id
    ),
    'has_mail_address', exists (select from public.mail_addresses as mail where mail.user_id = held.user_id)
  )
  from private.held_setups as held where held.user_id = (select auth.uid());
$$;
comment on function public.my_held_setup() is
  'What waits for the caller''s confirmation since their address was proved; null if nothing does.';

create function public.confirm_my_setup() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_session();
begin
  delete from private.held_setups where user_id = me;
  if found then
    -- Listings that waited are sent as one summary; earlier failures do not count.
    update watch.alerts set
      failing_since = null, held_at = case when listing_id is null then held_at else coalesce(held_at, now()) end
    where user_id = me and state = 'pending';
    perform pg_notify('alerts', '');
  end if;
end;
$$;
comment on function public.confirm_my_setup() is
  'The caller confirms that what is held is their own; alerts that waited are sent.';

create function public.discard_my_setup() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_session();
begin
  perform private.lock_person(me);
  delete from private.held_setups where user_id = me;
  if found then
    perform private.forget_setup(me);
  end if;
end;
$$;
comment on function public.discard_my_setup() is 'Removes everything the account has if it is held; nothing otherwise.';

alter table private.proven_addresses enable row level security;
alter table private.held_setups enable row level security;
alter table private.known_addresses enable row level security;
alter table private.known_browsers enable row level security;
revoke all on private.proven_addresses, private.held_setups, private.known_addresses, private.known_browsers
  from public, anon, authenticated;
revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
revoke execute on function public.my_held_setup(), public.confirm_my_setup(), public.discard_my_setup() from public, anon;
grant execute on function public.my_held_setup(), public.confirm_my_setup(), public.discard_my_setup() to authenticated;
