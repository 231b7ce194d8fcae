-- What was granted before a revocation ends with it, in the transaction of the revocation. Which event ends what is
-- declared in src/backend/auth/grants/grants.ts, and tested for each grant and event.

alter table public.chats drop constraint chats_reason_check, add constraint chats_reason_check check (
  reason in (
    'full', 'too-many-questions', 'not-started', 'not-found', 'deactivated', 'kicked', 'left', 'deleted', 'no-rights',
    'blocked', 'said-no', 'stopped', 'ended'
  )
);

-- A chat is told why its account is gone. Of several reasons the first is told.
alter table watch.deletion_notices add column kind text not null default 'account-deleted'
  constraint kind_is_known check (kind in ('account-deleted', 'telegram-disconnected'));
comment on table watch.deletion_notices is
  'Chats to be notified that an account whose alerts they received was deleted or disconnected; for a day at most.';

create function private.is_hosted() returns boolean
  language sql stable set search_path = ''
as $$
  select to_regclass('auth.one_time_tokens') is not null;
$$;
comment on function private.is_hosted() is 'Whether GoTrue writes the schema auth, as on hosted Supabase.';

-- The chats neither hear nor act for the account. They stay in its lists, and the account has to agree before one of
-- them is asked again. Connected ones are told why, if there is a reason.
create function private.end_chats(person uuid, ended bigint[], why text default null) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.searches where user_id = person order by created_at, id for update;
  perform from watch.chats where chat_id = any (ended) order by chat_id for update;
  insert into watch.deletion_notices (chat_id, language, kind)
  select chats.chat_id, coalesce(known.language, profiles.language, known.telegram_language), why
  from public.chats
  left join watch.chats as known on known.chat_id = chats.chat_id
  left join public.profiles on profiles.id = chats.user_id
  where why is not null and chats.user_id = person and chats.chat_id = any (ended) and chats.state = 'connected'
  order by chats.chat_id
  on conflict (chat_id) do nothing;
  update public.chats set state = 'declined', reason = 'ended', confirmed_at = null, kind = null, title = null
  where user_id = person and chat_id = any (ended);
  delete from watch.chat_questions where user_id = person and chat_id = any (ended);
  update watch.alerts set state = 'undeliverable', last_error = 'ended'
  where user_id = person and chat_id = any (ended) and state = 'pending';
end;
$$;

-- On hosted Supabase the identity may not name the private chat: then those that said "That's me" end.
create function private.end_private_chat(person uuid, telegram_id bigint) returns void
  language sql security definer set search_path = ''
as $$
  select private.end_chats(person, array(
    select own.chat_id from public.chats as own left join watch.chat_questions as asked using (user_id, chat_id)
    where own.user_id = person and own.chat_id > 0
      and (own.chat_id = telegram_id or telegram_id is null and asked.is_own)
  ), 'telegram-disconnected');
$$;

-- Sign-ins and links in progress: of an account, or those that link to it.
create function private.end_flows(person uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.flow_state where user_id = person;
  if private.flows_can_link() then
    execute 'delete from auth.flow_state where linking_target_id = $1' using person;
  end if;
  delete from private.telegram_links where user_id = person;
end;
$$;

-- GoTrue has had the column for some versions only.
create function private.flows_can_link() returns boolean
  language sql stable set search_path = ''
as $$
  select exists (
    select from pg_catalog.pg_attribute
    where attrelid = 'auth.flow_state'::regclass and attname = 'linking_target_id' and not attisdropped
  );
$$;

-- Tokens of mailed links. GoTrue cannot read an account whose tokens are null; the embedded auth service requires null.
create function private.end_mailed_links(person uuid, with_confirmation boolean) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  no_token constant text := case when private.is_hosted() then '' end;
begin
  update auth.users set recovery_token = no_token,
    confirmation_token = case when with_confirmation then no_token else confirmation_token end,
    email_change = no_token, email_change_token_new = no_token
  where id = person and (
    coalesce(recovery_token, '') <> '' or coalesce(email_change_token_new, '') <> '' or coalesce(email_change, '') <> ''
    or with_confirmation and coalesce(confirmation_token, '') <> ''
  );
  if private.is_hosted() then
    execute 'delete from auth.one_time_tokens where user_id = $1 and ($2 or token_type <> ''confirmation_token'')'
      using person, with_confirmation;
  end if;
end;
$$;

-- Events: password-changed, reset-used, address-proved (for the first time, without its owner's "yes"), provider-unlinked,
-- telegram-disconnected (its private chat ends as well), signed-out-here, signed-out-elsewhere, signed-out-everywhere,
-- suspended, deleted. A session that begins at the same time either waits for the lock of auth.users and then asks again
-- whether it may, or has committed and is ended here.
create function private.end_grants(person uuid, event text, kept_session uuid default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  is_hosted constant boolean := private.is_hosted();
begin
  if event not in (
    'password-changed', 'reset-used', 'address-proved', 'provider-unlinked', 'telegram-disconnected', 'signed-out-here',
    'signed-out-elsewhere', 'signed-out-everywhere', 'suspended', 'deleted'
  ) then
    raise exception 'No grant is declared for the event %', event;
  end if;
  -- GoTrue has locked the account's rows before its triggers run: waiting for the person there could deadlock.
  if not (is_hosted and pg_trigger_depth() > 0) then
    perform private.lock_person(person);
  end if;
  if event = 'deleted' then
    perform private.end_flows(person);
    return;
  end if;
  perform from auth.users where id = person for no key update;

  delete from watch.link_tokens where user_id = person and used_at is null;
  if event = 'signed-out-here' then
    update auth.users set email_change = case when is_hosted then '' end,
      email_change_token_new = case when is_hosted then '' end
    where id = person and coalesce(email_change_token_new, '') <> '';
    return;
  end if;

  if event = 'telegram-disconnected' then
    perform private.end_private_chat(person, (
      select telegram_id from watch.telegram_identities where user_id = person limit 1
    ));
  end if;
  if event = 'address-proved' then
    perform private.end_chats(person, array(select chat_id from public.chats where user_id = person));
    delete from public.mail_addresses where user_id = person;
    delete from watch.away_mails where user_id = person;
    delete from private.known_addresses where user_id = person;
    delete from private.known_browsers where user_id = person and session_id is distinct from kept_session;
  end if;

  -- The trigger of a deleted identity raises an event of its own, unless it is part of this one.
  perform set_config('sereno.ending_grants', person::text, true);
  if event = 'telegram-disconnected' then
    delete from auth.identities where user_id = person and provider = 'custom:telegram';
  elsif event = 'address-proved' then
    delete from auth.identities as other where user_id = person and provider <> 'email' and id is distinct from (
      select id from auth.identities as proving
      where proving.user_id = person and provider not in ('email', 'custom:telegram') and kept_session is null
      order by created_at desc limit 1
    );
  end if;
  perform set_config('sereno.ending_grants', '', true);

  -- GoTrue ends the other sessions itself after a change of password, and a trigger does not know which it keeps.
  if not (is_hosted and kept_session is null and event in ('password-changed', 'reset-used')) then
    delete from auth.sessions where user_id = person and id is distinct from kept_session;
  end if;
  if not is_hosted and event in ('password-changed', 'reset-used', 'provider-unlinked', 'telegram-disconnected') then
    delete from auth.mfa_amr_claims where session_id = kept_session;
  end if;
  perform private.end_flows(person);
  perform private.end_mailed_links(person, event in ('address-proved', 'suspended'));
end;
$$;
comment on function private.end_grants(uuid, text, uuid) is
  'Ends what an event revokes, in its transaction. The session that the event happened in may be kept.';

-- The first error of a change of password by a trigger comes after the proof of the address was noted (note_proven_address).
create function private.follow_new_password() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- The auth service names the session; GoTrue does not.
  changing constant uuid := nullif(current_setting('sereno.kept_session', true), '')::uuid;
  proving constant uuid := (
    select sessions.id from auth.sessions join auth.mfa_amr_claims as claims on claims.session_id = sessions.id
    where sessions.user_id = new.id and claims.authentication_method in ('recovery', 'otp')
      and claims.updated_at > now() - interval '1 hour' and sessions.id = coalesce(changing, sessions.id)
    order by claims.updated_at desc limit 1
  );
begin
  perform private.end_grants(
    new.id, case when proving is null then 'password-changed' else 'reset-used' end, coalesce(changing, proving)
  );
  return null;
end;
$$;

create trigger revoke_grants_of_old_password
  after update of encrypted_password on auth.users
  for each row when (
    old.encrypted_password is distinct from new.encrypted_password and coalesce(new.encrypted_password, '') <> ''
  )
  execute function private.follow_new_password();

create function private.follow_suspension() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_grants(new.id, 'suspended');
  return null;
end;
$$;

create trigger revoke_grants_of_suspended
  after update of banned_until on auth.users
  for each row when (new.banned_until > now() and new.banned_until is distinct from old.banned_until)
  execute function private.follow_suspension();

-- After lock_person_first, which runs before it.
create function private.follow_deletion() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_grants(old.id, 'deleted');
  return old;
end;
$$;

create trigger revoke_grants_of_deleted
  before delete on auth.users
  for each row execute function private.follow_deletion();

-- Also for an identity that GoTrue unlinks. Only a signed-in person's request names a session that stays, and a chat that
-- stays.
create function private.follow_unlinked_identity() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(current_setting('sereno.ending_grants', true), '') <> old.user_id::text
    and exists (select from auth.users where id = old.user_id) then
    if old.provider = 'custom:telegram' and coalesce(current_setting('sereno.keeps_chat', true), '') = '' then
      perform private.end_private_chat(
        old.user_id, case when old.provider_id ~ '^[1-9][0-9]{0,15}$' then old.provider_id::bigint end
      );
    end if;
    perform private.end_grants(
      old.user_id, 'provider-unlinked',
      case when (select auth.uid()) = old.user_id then (select auth.jwt() ->> 'session_id')::uuid end
    );
  end if;
  return null;
end;
$$;

create trigger revoke_grants_of_unlinked
  after delete on auth.identities
  for each row execute function private.follow_unlinked_identity();

-- Links in progress belong to the session that began them. It takes no lock: whoever ends sessions may hold their rows.
create function private.follow_ended_sessions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  person uuid;
begin
  if private.flows_can_link() and not private.is_hosted() then
    delete from auth.flow_state where linking_session_id in (select id from ended);
  end if;
  -- The embedded auth service raises these events itself.
  if private.is_hosted() then
    for person in
      select distinct user_id from ended
      where exists (select from auth.users where id = ended.user_id)
        and not exists (select from auth.sessions where sessions.user_id = ended.user_id)
    loop
      perform private.end_grants(person, 'signed-out-everywhere');
    end loop;
  end if;
  return null;
end;
$$;

create trigger revoke_grants_of_ended_sessions
  after delete on auth.sessions
  referencing old table as ended
  for each statement execute function private.follow_ended_sessions();

-- The trigger above ends the links of the old password.
create or replace function private.follow_changed_password() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.account_mails (kind, user_id) values ('password-changed', new.id);
  perform private.note_security_event(new.id, 'password_changed', null, null, 1, now());
  return null;
end;
$$;

revoke execute on all functions in schema private from public;
