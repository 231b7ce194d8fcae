-- Two accounts are no longer joined. A Telegram user with an account of its own is linked only if that account is empty,
-- which then ends in the same transaction. The permission to link belongs to one flow, and so to the browser that began it.

drop function public.join_my_accounts(), public.my_join_offer(), private.join_accounts(uuid, uuid),
  private.move_searches(uuid, uuid), private.move_chats(uuid, uuid), private.move_finds(uuid, uuid),
  private.move_mails(uuid, uuid), private.offered_account(uuid, uuid), private.searches_over_limit(uuid, uuid),
  private.link_telegram(uuid, uuid, bigint, jsonb), public.allow_telegram_link(text), public.unlink_telegram(text);

-- What is left of joins: their events, and the notices that have not been sent.
delete from private.security_events where kind = 'accounts_joined';
alter table private.security_events drop constraint security_events_kind_check, add constraint security_events_kind_check check (
  kind in (
    'sign_in', 'sign_up', 'wrong_password', 'password_changed', 'password_reset', 'session_ended', 'chat_connected',
    'chat_removed', 'export', 'telegram_linked', 'telegram_unlinked', 'email_added'
  )
);
delete from private.account_mails where kind = 'accounts-joined';
alter table private.account_mails drop constraint account_mails_kind_check, add constraint account_mails_kind_check check (
  kind in (
    'password-changed', 'chat-connected', 'account-deleted', 'chats-lost', 'new-browser', 'alert-mail-steps',
    'telegram-linked', 'telegram-unlinked', 'alerts-waiting'
  )
);
delete from watch.alerts where kind = 'account-notice' and payload ->> 'notice' = 'accounts-joined';

drop table private.telegram_links;
create table private.telegram_links (
  -- The id of the flow in auth.flow_state, derived from its state.
  flow_id uuid primary key,
  session_id uuid not null unique references auth.sessions (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  allowed_at timestamptz not null default now()
);
comment on table private.telegram_links is 'Flows that may link a Telegram user within ten minutes; the last one of each session.';
create index telegram_links_of_a_person on private.telegram_links (user_id);
alter table private.telegram_links enable row level security;
revoke all on private.telegram_links from public, anon, authenticated;

-- A stolen access token must not add a sign-in of its own, so this requires what a deletion requires. The flow is bound to
-- the browser that began it by a cookie. GoTrue links by itself, and reads no permission.
create function public.allow_telegram_link(state text, current_password text default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.lock_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
  flow constant uuid := substring(encode(sha256(convert_to('state ' || state, 'UTF8')), 'hex') for 32)::uuid;
  is_own boolean;
begin
  perform private.require_proof(session, me, 'allow_telegram_link');
  if private.is_hosted() then
    return;
  end if;
  execute 'select exists (
    select from auth.flow_state
    where id = $1 and linking_target_id = $2 and linking_session_id = $3 and not is_state_used
  )' into is_own using flow, me, session;
  if not is_own then
    raise exception 'This session has begun no such link' using errcode = 'PT404', detail = 'no-such-link';
  end if;
  insert into private.telegram_links as link (flow_id, session_id, user_id) values (flow, session, me)
  on conflict (session_id) do update set flow_id = excluded.flow_id, allowed_at = now();
end;
$$;
comment on function public.allow_telegram_link(text, text) is
  'Lets the flow of this state link a Telegram user within ten minutes; requires the current password, or a recent sign-in.';

-- Nothing in it was made by its owner, and Telegram is its only way in, so that a Telegram sign-in alone may end it.
create function private.is_replaceable(person uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
      select from auth.users
      where id = person and coalesce(email, '') = '' and coalesce(encrypted_password, '') = ''
        and (banned_until is null or banned_until <= now())
    )
    and not exists (select from auth.identities where user_id = person and provider <> 'custom:telegram')
    and not exists (select from public.searches where user_id = person)
    and not exists (select from public.marks where user_id = person)
    and not exists (select from public.own_places where user_id = person)
    and not exists (select from public.find_settings where user_id = person)
    and not exists (select from public.listings where user_id = person)
    and not exists (select from public.mail_addresses where user_id = person);
$$;

-- The private chat stays connected, now to the person. No chat reads that an account was deleted.
create function private.replace_account(empty uuid, person uuid, telegram_id bigint, metadata jsonb) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  title constant text := (
    select chats.title from public.chats where user_id = empty and chat_id = telegram_id and confirmed_at is not null
  );
begin
  perform private.end_grants(empty, 'deleted');
  update auth.identities set user_id = person, identity_data = metadata, last_sign_in_at = now(), updated_at = now()
  where user_id = empty and provider = 'custom:telegram';
  if exists (
    select from public.chats where user_id = empty and chat_id = telegram_id and state = 'connected' and confirmed_at is not null
  ) then
    perform private.connect_own_chat(person, telegram_id, title);
  end if;
  delete from public.chats where user_id = empty;
  perform private.delete_account(empty);
end;
$$;

-- linked, has-another (the account has a different Telegram user), other-account (which is not empty), not-allowed.
create function private.link_telegram(flow uuid, telegram_id bigint, metadata jsonb) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  telegram constant text := 'custom:telegram';
  person constant uuid := (select user_id from private.telegram_links where flow_id = flow);
  owner uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  owner := (select user_id from auth.identities where provider = telegram and provider_id = telegram_id::text);
  perform private.lock_person(id) from (
    select id from unnest(array[person, owner]) as id where id is not null order by id
  ) as both_accounts;
  -- Only the holder of the Telegram lock adds the identity, but its account may have removed it before we locked that.
  owner := (select user_id from auth.identities where provider = telegram and provider_id = telegram_id::text);
  delete from private.telegram_links where flow_id = flow and allowed_at > now() - interval '10 minutes';
  if not found or private.is_suspended(person) then
    return 'not-allowed';
  end if;
  if owner = person then
    return 'linked';
  end if;
  if exists (select from auth.identities where user_id = person and provider = telegram) then
    return 'has-another';
  end if;
  if owner is not null and not private.is_replaceable(owner) then
    return 'other-account';
  end if;
  if owner is not null then
    perform private.replace_account(owner, person, telegram_id, metadata);
  else
    insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
    values (person, telegram, telegram_id::text, metadata, now());
  end if;
  perform private.follow_identities(person);
  insert into private.account_mails (kind, user_id) values ('telegram-linked', person);
  perform private.note_security_event(person, 'telegram_linked', null, null, 1, now());
  return 'linked';
end;
$$;
comment on function private.link_telegram(uuid, bigint, jsonb) is
  'Adds the Telegram user who has just signed in to the account whose session has allowed this flow to.';

-- Everybody who could sign in with Telegram loses the account: the account keeps another way in. The private chat ends
-- as well and is told, unless the person wants their alerts there.
create function public.unlink_telegram(current_password text default null, keep_chat boolean default false) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.lock_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
begin
  perform private.require_proof(session, me, 'unlink_telegram');
  if not exists (select from auth.users where id = me and coalesce(encrypted_password, '') <> '')
    and not exists (select from auth.identities where user_id = me and provider = 'google') then
    raise exception 'Telegram is the only way in to this account' using errcode = 'PT409', detail = 'only-sign-in';
  end if;
  if not exists (select from auth.identities where user_id = me and provider = 'custom:telegram') then
    return;
  end if;
  if keep_chat then
    -- Its trigger ends what else the identity granted.
    perform set_config('sereno.keeps_chat', 'on', true);
    delete from auth.identities where user_id = me and provider = 'custom:telegram';
  else
    perform private.end_grants(me, 'telegram-disconnected', session);
  end if;
  perform private.follow_identities(me);
  insert into private.account_mails (kind, user_id) values ('telegram-unlinked', me);
  perform private.note_security_event(me, 'telegram_unlinked', null, null, 1, now());
end;
$$;
comment on function public.unlink_telegram(text, boolean) is
  'Removes the Telegram user who can sign in to the caller''s account, and their chat; requires the current password, or a recent sign-in.';

-- A chat that was ended is asked again only if the account wants it: the buttons of old messages do not lead back.
create or replace function watch.answer_question(
  person uuid, chat bigint, said text, chat_kind text, chat_title text, out outcome text, out account text
)
  language plpgsql set search_path = ''
as $$
declare
  asked record;
begin
  perform private.lock_person_and_chat(person, chat);
  select chats.state, chats.confirmed_at into asked
  from public.chats left join watch.chat_questions as question using (user_id, chat_id)
  where user_id = person and chat_id = chat and (question.user_id is not null or chats.state <> 'waiting')
    and chats.reason is distinct from 'ended'
  for update of chats;
  -- An old "no" does not revoke a later consent; "not me" and /stop do.
  if not found or (said = 'no' and asked.state not in ('waiting', 'declined') and asked.confirmed_at is not null) then
    outcome := 'not-asked';
    return;
  end if;
  account := private.masked_account(person);
  if said in ('yes', 'me') and watch.is_setup_held(person) then
    outcome := 'held';
    return;
  end if;
  if said in ('yes', 'me') then
    outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
    if outcome = 'connected' then
      perform private.connect_chat(person, chat, chat_kind, chat_title, true, null);
      update watch.chat_questions set is_own = true where said = 'me' and user_id = person and chat_id = chat;
      account := private.account_in_chat(person, chat);
    end if;
    return;
  end if;
  outcome := 'declined';
  if said = 'no' and asked.state = 'declined' then
    return;
  end if;
  -- The id stays in the person's list, where the page shows the reason; the chat's name is removed.
  perform private.note_answer(person, chat, 'no');
  update public.chats set state = 'declined', reason = 'said-no', confirmed_at = null, kind = null, title = null
  where user_id = person and chat_id = chat;
  update watch.alerts set state = 'undeliverable', last_error = 'declined'
  where user_id = person and chat_id = chat and state = 'pending';
end;
$$;

-- The owner of the Telegram user has just signed in again: a chat that ended with the former link is connected again.
create or replace function private.connect_chat_at_sign_in(person uuid, chat bigint, chat_title text) returns text
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from public.chats where user_id = person and chat_id = chat and state in ('connected', 'declined', 'blocked')
      and reason is distinct from 'ended'
  ) or exists (
    select from watch.chat_questions where user_id = person and chat_id = chat and answer is not null
  ) then
    return 'decided';
  end if;
  return private.connect_own_chat(person, chat, chat_title);
end;
$$;

-- While its owner is suspended, no chat reads or changes an account.
create or replace view watch.confirmed_chats with (security_invoker = true) as
  select user_id, chat_id, created_at from public.chats
  where state = 'connected' and confirmed_at is not null and not watch.is_setup_held(user_id)
    and not exists (select from auth.users where id = user_id and banned_until > now());

revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
revoke execute on function public.allow_telegram_link(text, text), public.unlink_telegram(text, boolean) from public, anon;
grant execute on function public.allow_telegram_link(text, text), public.unlink_telegram(text, boolean) to authenticated;
