-- Mails that tell people what happened to their account. A row is written in the transaction that did it, sent by a
-- server process, and deleted when sent, or after a day of trying.
create table private.account_mails (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('password-changed', 'chat-connected', 'account-deleted')),
  user_id uuid references auth.users (id) on delete cascade,
  chat_id bigint,
  -- Only of a deleted account, which nothing else remembers.
  email text check (char_length(email) <= 320),
  language text check (language in ('en', 'es', 'ru', 'de', 'fr')),
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint mail_has_one_way_to_its_reader check ((user_id is null) = (email is not null)),
  constraint chat_is_named_for_its_kind check ((kind = 'chat-connected') = (chat_id is not null))
);

comment on table private.account_mails is 'Mails about an account that wait to be sent.';

create index account_mails_due on private.account_mails (not_before);
create index account_mails_of_a_person on private.account_mails (user_id);

alter table private.account_mails enable row level security;
revoke all on private.account_mails from public, anon, authenticated;

create function private.announce_account_mails() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  perform pg_notify('account_mails', '');
  return null;
end;
$$;

create trigger account_mails_are_announced
  after insert on private.account_mails
  for each statement execute function private.announce_account_mails();

-- A changed password also ends the links by which a chat could still be connected.
create function private.tell_of_changed_password() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from watch.link_tokens where user_id = new.id and used_at is null;
  insert into private.account_mails (kind, user_id) values ('password-changed', new.id);
  return null;
end;
$$;

create trigger changed_password_is_told
  after update of encrypted_password on auth.users
  for each row when (
    old.encrypted_password is distinct from new.encrypted_password and coalesce(new.encrypted_password, '') <> ''
  )
  execute function private.tell_of_changed_password();

-- A chat that can be reached again is no new one.
create function private.tell_of_connected_chat() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' or old.state in ('waiting', 'declined') then
    insert into private.account_mails (kind, user_id, chat_id) values ('chat-connected', new.user_id, new.chat_id);
  end if;
  return null;
end;
$$;

create trigger connected_chat_is_told
  after insert or update of state on public.chats
  for each row when (new.state = 'connected')
  execute function private.tell_of_connected_chat();

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

-- Before, for the language goes with the profile.
create trigger deleted_account_is_told
  before delete on auth.users
  for each row execute function private.tell_of_deleted_account();
