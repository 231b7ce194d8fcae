-- Notices about changes to an account: mails, or messages in the private chat of an account without an address. A row is
-- written in the transaction that made the change. A mail's row is deleted in the transaction that turns it into a job.
create table private.account_mails (
  id bigint generated always as identity primary key,
  kind text not null check (
    kind in (
      'password-changed', 'chat-connected', 'account-deleted', 'chats-lost', 'new-browser', 'alert-mail-steps',
      'telegram-linked', 'telegram-unlinked', 'accounts-joined', 'alerts-waiting'
    )
  ),
  user_id uuid references auth.users (id) on delete cascade,
  chat_id bigint,
  -- Only for a deleted or joined account, which has no other rows.
  email text check (char_length(email) <= 320),
  language text check (language ~ '^[a-z]{2}$'),
  browser text,
  platform text,
  created_at timestamptz not null default now(),
  constraint mail_has_one_way_to_its_reader check ((user_id is null) = (email is not null)),
  constraint chat_is_named_for_its_kind check ((kind = 'chat-connected') = (chat_id is not null)),
  constraint browser_is_named_for_its_kind check (
    (kind = 'new-browser') = (browser is not null and platform is not null)
  )
);
comment on table private.account_mails is 'Mails about an account that wait to become jobs.';
create index account_mails_of_a_person on private.account_mails (user_id);

alter table private.account_mails enable row level security;
revoke all on private.account_mails from public, anon, authenticated;

create trigger account_mails_are_announced
  after insert on private.account_mails
  for each statement execute function private.announce('account_mails');

-- The private chat of the account's Telegram user, unless the bot cannot write to it or it said /stop.
create function private.chat_for_notices(person uuid) returns bigint
  language sql stable security definer set search_path = ''
as $$
  select met.chat_id from auth.identities as own
  join watch.chats as met on met.chat_id = own.provider_id::bigint and met.standing = 'ok'
  left join public.chats as link on link.user_id = own.user_id and link.chat_id = met.chat_id
  where own.user_id = person and own.provider = 'custom:telegram'
    and watch.may_notify('account-notice', link.state, link.reason, null);
$$;

-- Ten a day, as many as mails to one address.
create function private.write_notice(person uuid, facts jsonb) returns void
  language sql security definer set search_path = ''
as $$
  insert into watch.alerts (user_id, chat_id, kind, event_key, payload)
  select person, chat, 'account-notice', gen_random_uuid()::text, facts
  from private.chat_for_notices(person) as chat
  where chat is not null and chat::text is distinct from facts ->> 'chatId' and (
    select count(*) from watch.alerts
    where user_id = person and kind = 'account-notice' and created_at > now() - interval '1 day'
  ) < 10;
$$;
comment on function private.write_notice(uuid, jsonb) is
  'Writes a notice to the private chat of the account''s Telegram user; not about the connection of that chat itself.';

create function private.write_notice_instead() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.user_id is null or exists (select from auth.users where id = new.user_id and email <> '') then
    return new;
  end if;
  perform private.write_notice(new.user_id, jsonb_strip_nulls(jsonb_build_object(
    'notice', new.kind, 'chatId', new.chat_id::text, 'browser', new.browser, 'platform', new.platform,
    'atMs', floor(extract(epoch from new.created_at) * 1000)
  )));
  return null;
end;
$$;

create trigger notices_without_address_go_to_the_chat
  before insert on private.account_mails
  for each row execute function private.write_notice_instead();

-- A changed password also invalidates links that could still connect a chat.
create function private.follow_changed_password() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from watch.link_tokens where user_id = new.id and used_at is null;
  insert into private.account_mails (kind, user_id) values ('password-changed', new.id);
  perform private.note_security_event(new.id, 'password_changed', null, null, 1, now());
  return null;
end;
$$;

create trigger follow_changed_password
  after update of encrypted_password on auth.users
  for each row when (
    old.encrypted_password is distinct from new.encrypted_password and coalesce(new.encrypted_password, '') <> ''
  )
  execute function private.follow_changed_password();

-- A chat that becomes reachable again is neither new nor removed.
create function private.follow_chat_state() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.state = 'connected' then
    delete from watch.unreachable_people where user_id = new.user_id;
  end if;
  if old.state in ('connected', 'blocked', 'unreachable') and (tg_op = 'DELETE' or new.state = 'declined') then
    perform private.note_security_event(old.user_id, 'chat_removed', null, null, 1, now());
  elsif new.state = 'connected' and coalesce(old.state, 'waiting') in ('waiting', 'declined') then
    perform private.note_security_event(new.user_id, 'chat_connected', null, null, 1, now());
    insert into private.account_mails (kind, user_id, chat_id) values ('chat-connected', new.user_id, new.chat_id);
  end if;
  return null;
end;
$$;

create trigger follow_chat_state
  after insert or delete or update of state on public.chats
  for each row execute function private.follow_chat_state();

-- Before the deletion: the language is deleted with the profile.
create function private.tell_of_deleted_account() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.account_mails (kind, email, language)
  select 'account-deleted', old.email, coalesce(
    (select profiles.language from public.profiles where profiles.id = old.id),
    private.language_of(old.raw_user_meta_data)
  )
  where old.email <> '';
  return old;
end;
$$;

create trigger tell_of_deleted_account
  before delete on auth.users
  for each row execute function private.tell_of_deleted_account();

revoke execute on all functions in schema private from public;
