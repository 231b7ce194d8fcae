-- A check and its act see the same account: whoever changes one takes private.lock_person before its rows and before asking
-- whether it may. Two accounts are locked in the order of their ids, and a Telegram user (telegram-account) before any.

drop function private.require_proof(uuid, uuid) cascade;

-- Ends the recent sign-in that proves the session, so that it serves one call. GoTrue's records are its own.
create function private.use_sign_in(session uuid, person uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_hosted() then
    return private.is_session_proved(session, person);
  end if;
  delete from auth.mfa_amr_claims as claims using auth.users
  where claims.session_id = session and users.id = person and case claims.authentication_method
    when 'recovery' then claims.updated_at > now() - interval '15 minutes'
    when 'oauth' then coalesce(users.encrypted_password, '') = '' and claims.updated_at > now() - interval '10 minutes'
    else false
  end;
  return found;
end;
$$;

-- The auth service has checked the password and counted wrong ones. What it says is a setting of this call's own
-- transaction: the call, the session, and the hash of the stored password that it compared.
create function private.require_proof(session uuid, person uuid, call text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  stored constant text := (select nullif(encrypted_password, '') from auth.users where id = person);
begin
  if current_setting('sereno.proof', true) =
    concat_ws(' ', call, session, encode(sha256(convert_to(stored, 'UTF8')), 'hex')) and stored is not null then
    return;
  end if;
  if private.use_sign_in(session, person) then
    return;
  end if;
  if stored is not null then
    raise exception 'The current password is required' using errcode = 'PT403', detail = 'current_password_required';
  end if;
  raise exception 'Sign in again, then repeat this within ten minutes'
    using errcode = 'PT403', detail = 'reauthentication_needed';
end;
$$;

-- The caller's session, with the person locked: what ends it either comes first or waits.
create function private.lock_session() returns uuid
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_person(private.require_caller());
  return private.require_session();
end;
$$;

-- Every table of ours with personal data references auth.users with `on delete cascade`. Tables of the auth service
-- without such a reference are listed here, or ended by revoke_grants_of_deleted.
create or replace function private.delete_account(person uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_person(person);
  delete from auth.audit_log_entries
    where private.metadata_of(payload::jsonb) ->> 'actor_id' = person::text;
  delete from auth.users where id = person;
end;
$$;

create or replace function public.delete_my_account(current_password text default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.lock_session();
begin
  perform private.require_proof((select (auth.jwt() ->> 'session_id')::uuid), me, 'delete_my_account');
  perform private.delete_account(me);
end;
$$;

create or replace function public.end_my_session(session_id uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.lock_session();
begin
  delete from auth.sessions where id = end_my_session.session_id and user_id = me;
  if not found then
    return false;
  end if;
  perform private.end_grants(me, 'signed-out-here');
  return true;
end;
$$;

-- A token that is used a moment after its session ended makes no link.
create or replace function public.create_telegram_link(search_id uuid default null) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.lock_session();
  token constant text := private.random_token();
  expiry constant timestamptz := now() + interval '15 minutes';
begin
  if (select count(*) from watch.link_tokens where user_id = me and created_at > now() - interval '1 hour') >= 30 then
    raise exception 'Too many links in an hour' using errcode = 'PT429', detail = 'too-many-links';
  end if;
  delete from watch.link_tokens where user_id = me and created_at < now() - interval '1 day';
  if search_id is not null and not exists (
    select from public.searches where user_id = me and id = create_telegram_link.search_id
  ) then
    raise exception 'You have no such search' using errcode = 'PT404', detail = 'no-such-search';
  end if;
  insert into watch.link_tokens (token_hash, user_id, expires_at, search_id)
  values (sha256(convert_to(token, 'UTF8')), me, expiry, create_telegram_link.search_id);
  return jsonb_build_object('token', token, 'expires_at', expiry);
end;
$$;

-- The link is read again after the lock: an event that ends it may have come first.
create or replace function watch.connect_by_link(
  hash bytea, chat bigint, chat_kind text, chat_title text,
  out outcome text, out person uuid, out account text, out is_confirmed boolean, out has_filter boolean
)
  language plpgsql set search_path = ''
as $$
declare
  link watch.link_tokens;
  was_connected boolean;
begin
  person := (select user_id from watch.link_tokens where token_hash = hash);
  if person is not null then
    perform private.lock_person_and_chat(person, chat);
  end if;
  select * into link from watch.link_tokens where token_hash = hash for update;
  if not found or private.is_suspended(link.user_id) then
    outcome := 'unknown';
    person := null;
    return;
  end if;
  if link.used_at is null and link.expires_at <= now() then
    outcome := 'expired';
    return;
  end if;
  was_connected := exists (
    select from public.chats where user_id = person and chat_id = chat and state = 'connected'
  );
  if link.used_at is not null then
    -- Only the chat connected by this link may learn that.
    outcome := case when was_connected and link.chat_id = chat then 'already-connected' else 'used' end;
  else
    outcome := coalesce(
      private.limit_of_chats(person, chat), case when was_connected then 'already-connected' else 'connected' end
    );
    if outcome in ('connected', 'already-connected') then
      update watch.link_tokens set used_at = now(), chat_id = chat where token_hash = hash;
      -- Adding the bot to a group is consent; a private chat has only followed a link.
      perform private.connect_chat(person, chat, chat_kind, chat_title, chat_kind <> 'private', link.search_id);
    end if;
  end if;
  account := private.account_in_chat(person, chat);
  has_filter := exists (select from public.searches where user_id = person);
  is_confirmed := exists (
    select from public.chats where user_id = person and chat_id = chat and confirmed_at is not null
  );
end;
$$;

create function private.is_suspended(person uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (select from auth.users where id = person and banned_until > now());
$$;

-- The person is locked before the identity, as everywhere. A deletion or an unlink that came first leaves no identity.
create or replace function private.enter_by_telegram(
  telegram_id bigint, metadata jsonb, out user_id uuid, out is_new boolean
)
  language plpgsql security definer set search_path = ''
as $$
declare
  telegram constant text := 'custom:telegram';
begin
  -- Two sign-ins at the same time make one account.
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  perform private.lock_person(known.user_id) from auth.identities as known
  where provider = telegram and provider_id = telegram_id::text;
  update auth.identities as known set identity_data = metadata, last_sign_in_at = now(), updated_at = now()
  where provider = telegram and provider_id = telegram_id::text
  returning known.user_id into user_id;
  is_new := not found;
  if not is_new then
    return;
  end if;
  insert into auth.users (raw_app_meta_data, raw_user_meta_data)
  values (jsonb_build_object('provider', telegram, 'providers', jsonb_build_array(telegram)), metadata)
  returning id into user_id;
  insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
  values (user_id, telegram, telegram_id::text, metadata, now());
end;
$$;

-- The owner of an identity owns its private chat, so that no question is asked. The identity is asked for under the lock:
-- it may have been unlinked since its person was found.
create or replace function private.connect_own_chat(person uuid, chat bigint, chat_title text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  outcome text;
begin
  insert into watch.chats as known (chat_id, kind, title, standing) values (chat, 'private', chat_title, 'ok')
  on conflict (chat_id) do update set kind = 'private', title = excluded.title, standing = 'ok', closed_reason = null;
  perform private.lock_person_and_chat(person, chat);
  if not exists (
    select from watch.telegram_identities where user_id = person and telegram_id = chat
  ) then
    return 'not-connected';
  end if;
  outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
  if outcome = 'connected' then
    perform private.connect_chat(person, chat, 'private', chat_title, true, null);
    update watch.chat_questions set is_own = true where user_id = person and chat_id = chat;
  end if;
  return outcome;
end;
$$;

-- The account is asked for again under the lock: it may have got a password, or lost its Telegram user.
create or replace function watch.delete_own_account(chat bigint) returns boolean
  language plpgsql set search_path = ''
as $$
declare
  me uuid;
begin
  perform private.lock_person(person) from watch.own_account(chat) where person is not null;
  me := (select person from watch.own_account(chat) where not has_password);
  if me is null then
    return false;
  end if;
  perform private.delete_account(me);
  return true;
end;
$$;

-- On hosted Supabase the provider's id is the subject, which may be no chat and longer than a bigint.
create or replace function private.chat_for_notices(person uuid) returns bigint
  language sql stable security definer set search_path = ''
as $$
  select met.chat_id from watch.telegram_identities as own
  join watch.chats as met on met.chat_id = own.telegram_id and met.standing = 'ok'
  left join public.chats as link on link.user_id = own.user_id and link.chat_id = met.chat_id
  where own.user_id = person and coalesce(link.state, 'connected') in ('connected', 'waiting');
$$;

revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
