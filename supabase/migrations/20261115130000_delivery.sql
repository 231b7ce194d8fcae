-- What delivery must remember beyond the alerts themselves, so that a restart forgets no limit and no trouble.

alter table watch.alerts
  -- When it first had to wait for quiet hours or a mute; such alerts come as one summary.
  add column held_at timestamptz,
  -- Its first failure of its own; a day later it is given up.
  add column failing_since timestamptz;

create index alerts_open_of_a_person on watch.alerts (chat_id, user_id, position) where state in ('pending', 'sending');

create index alerts_in_flight on watch.alerts (chat_id) where state = 'sending';
create index alerts_of_a_chat_about_no_listing on watch.alerts (chat_id, kind) where listing_id is null;

-- Message ids begin anew in the supergroup a group became.
create function private.forget_message_of_moved_chat() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.message_id := null;
  return new;
end;
$$;

create trigger alerts_forget_messages_of_a_moved_chat
  before update of chat_id on watch.alerts
  for each row when (old.chat_id is distinct from new.chat_id)
  execute function private.forget_message_of_moved_chat();

create table watch.chat_paces (
  chat_id bigint primary key,
  -- When the chat's allowance of a message a second is whole again.
  whole_at timestamptz not null,
  -- When the last twenty messages went out, newest first, as milliseconds of Unix time.
  recent_ms jsonb not null default '[]' check (jsonb_typeof(recent_ms) = 'array'),
  -- Telegram asked for silence, or the chat fails.
  paused_until timestamptz,
  failing_since timestamptz,
  failures integer not null default 0
);

comment on table watch.chat_paces is 'How fast a chat may be written to, and how long not at all.';

create table watch.sender (
  is_only boolean primary key default true check (is_only),
  -- Telegram asked for silence everywhere.
  paused_until timestamptz,
  -- Telegram did not know the bot's token.
  refused_since timestamptz,
  last_sent_at timestamptz
);

comment on table watch.sender is 'The one row about sending as a whole.';

insert into watch.sender default values;
