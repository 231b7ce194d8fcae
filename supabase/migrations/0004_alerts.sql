-- The outbox: an alert is written in the transaction that found its cause, and records whether it was sent.

-- The columns of src/core/alert/alert-kinds.ts that SQL needs; a test compares the two.
create table watch.alert_kinds (
  kind text primary key,
  is_about_listing boolean not null,
  is_offer boolean not null,
  is_holdable boolean not null,
  is_reply boolean not null,
  is_sighted boolean not null,
  is_question boolean not null
);
comment on table watch.alert_kinds is 'The kinds of alerts, as in src/core/alert/alert-kinds.ts.';

insert into watch.alert_kinds
  (kind, is_about_listing, is_offer, is_holdable, is_reply, is_sighted, is_question)
values
  ('new', true, true, true, false, true, false),
  ('price-drop', true, true, true, true, true, false),
  ('back', true, true, true, true, false, false),
  ('readvertised', true, true, true, true, true, false),
  ('gone', true, false, true, true, false, false),
  ('watch-started', false, false, false, false, false, false),
  ('source-down', false, false, true, false, false, false),
  ('source-up', false, false, true, false, false, false),
  ('question', false, false, false, false, false, true),
  ('connected', false, false, false, false, false, false),
  ('test', false, false, false, false, false, false),
  ('summary-offer', false, false, true, false, false, false),
  ('forwarding-question', false, false, false, false, false, true),
  ('account-notice', false, false, false, false, false, false);

create table watch.alerts (
  id uuid primary key default gen_random_uuid(),
  -- The order of sending within a chat.
  position bigint generated always as identity,
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_id bigint not null,
  kind text not null references watch.alert_kinds (kind),
  -- The portal's code, if the alert is about one listing.
  listing_id text check (char_length(listing_id) between 1 and 64),
  -- Distinguishes events of a kind: the new price of a drop, the start of an outage.
  event_key text not null default '' check (char_length(event_key) <= 200),
  -- The facts at the time of the event; src/core/alert/alert.ts defines its shapes.
  payload jsonb not null check (jsonb_typeof(payload) = 'object' and pg_column_size(payload) <= 16384),
  -- The searches it was written for. Null if it is not about searches; empty if only a mark caused it.
  search_ids uuid[],
  -- Null for an alert that no source caused.
  source text check (source in ('official', 'by-url', 'mail')),
  -- When that source reported the event.
  seen_at timestamptz,

  -- pending -> sending (leased) -> sent | pending again (retry) | undeliverable (chat unreachable) | expired (retried
  -- for a day)
  -- merged: the chat received the same through another person, or in a summary.
  state text not null default 'pending' check (
    state in ('pending', 'sending', 'sent', 'merged', 'undeliverable', 'expired')
  ),
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  lease_until timestamptz,
  lease_by uuid,
  -- The rules of its searches say to send it without a sound.
  is_silent boolean not null default false,
  -- When quiet hours, a mute or a folded search first held it back; such alerts are sent as one summary.
  held_at timestamptz,
  -- The first failure that concerns this alert; it expires a day later.
  failing_since timestamptz,
  last_error text,
  -- An attempt ended without an answer: the message may have arrived.
  is_ambiguous boolean not null default false,
  message_id bigint,
  -- The language it was sent in; edits and answers use the same.
  language text check (language ~ '^[a-z]{2}$'),
  -- The mark set by a button under it. Everyone in the chat saw it, so the message may show it.
  chat_mark text check (chat_mark in ('hidden', 'kept')),
  -- From then on the message is outdated and must be edited; infinity: after the bot has changed the buttons.
  edit_due_at timestamptz,
  edit_attempts integer not null default 0,
  -- Set for an edit that gives way to everything else and is dropped after this time.
  edit_until timestamptz,
  -- When the home ended, as the message says or an edit will; null if the message shows it on offer.
  gone_shown_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,

  -- A chat is notified of an event once per person, however often it is found.
  constraint alert_exists_once unique nulls not distinct (user_id, chat_id, kind, listing_id, event_key)
);
comment on table watch.alerts is 'The outbox: messages to chats, and their state.';
create index alerts_of_a_chat_and_listing on watch.alerts (chat_id, listing_id) where listing_id is not null;
create index alerts_newest_of_a_person on watch.alerts (user_id, created_at desc);
create index alerts_by_age on watch.alerts (created_at);
create index alerts_open_of_a_person on watch.alerts (chat_id, user_id, position) where state in ('pending', 'sending');
create index alerts_in_flight on watch.alerts (chat_id) where state = 'sending';
create index alerts_of_a_chat_about_no_listing on watch.alerts (chat_id, kind) where listing_id is null;
create index alerts_shown_of_a_listing on watch.alerts (listing_id, sent_at) where message_id is not null;
create index alerts_to_edit on watch.alerts (edit_due_at) where edit_due_at is not null;
-- The sender queries these each time; there are hardly any.
create index alerts_that_go_first on watch.alerts (chat_id, user_id)
  where kind = 'forwarding-question' and state in ('pending', 'sending');
-- Delivery times, without reading all alerts.
create index alerts_sent on watch.alerts (created_at desc) include (source, seen_at, sent_at)
  where seen_at is not null and sent_at is not null and held_at is null;
-- A chat is notified of a listing once per person, as new or as relisted, whichever search found it.
create unique index find_is_alerted_once on watch.alerts (user_id, chat_id, listing_id)
  where kind in ('new', 'readvertised');

create function private.announce() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  perform pg_notify(tg_argv[0], '');
  return null;
end;
$$;

create trigger alerts_are_announced
  after insert on watch.alerts
  for each statement execute function private.announce('alerts');

-- Telegram numbers the messages of a new supergroup from the start.
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

-- Both id lists together, each id once; the latest fifty.
create function watch.joined_ids(held uuid[], added uuid[]) returns uuid[]
  language sql immutable set search_path = ''
as $$
  select ids[greatest(1, cardinality(ids) - 49):]
  from (values (held || array(select id from unnest(added) as id where not (id = any (held))))) as both_of (ids);
$$;

-- Rate limits that survive a restart.
create table watch.chat_paces (
  chat_id bigint primary key,
  -- When the last twenty messages were sent, newest first, as milliseconds of Unix time.
  recent_ms jsonb not null default '[]' check (jsonb_typeof(recent_ms) = 'array'),
  -- Telegram's retry_after, or a pause because the chat fails.
  paused_until timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  -- The slowdown after the last 429, which decreases with time.
  slowdown integer not null default 0,
  flooded_at timestamptz
);
comment on table watch.chat_paces is 'How fast messages may be sent to a chat, and until when none may.';

create table watch.sender (
  is_only boolean primary key default true check (is_only),
  -- Telegram's retry_after for the whole bot.
  paused_until timestamptz,
  -- Telegram refused the bot's token.
  refused_since timestamptz,
  last_sent_at timestamptz,
  slowdown integer not null default 0,
  flooded_at timestamptz
);
comment on table watch.sender is 'The state of sending as a whole, in one row.';

insert into watch.sender default values;

-- A deleted account has no alerts, so its notices are stored separately. A row contains only the chat and is deleted
-- when sent.
create table watch.deletion_notices (
  chat_id bigint primary key,
  language text check (language ~ '^[a-z]{2}$'),
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table watch.deletion_notices is
  'Chats to be notified that an account was deleted whose alerts they received; for a day at most.';

create trigger deletion_notices_are_announced
  after insert on watch.deletion_notices
  for each statement execute function private.announce('alerts');

create function public.send_test_message(chat_id bigint) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if not exists (
    select from public.chats
    where chats.user_id = me and chats.chat_id = send_test_message.chat_id and chats.state = 'connected'
  ) then
    raise exception 'That chat is not connected' using errcode = 'PT409', detail = 'not-connected';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('test-message ' || me, 0));
  if (
    select count(*) from watch.alerts
    where user_id = me and kind = 'test' and created_at > now() - interval '1 hour'
  ) >= 3 then
    raise exception 'Three test messages an hour are enough' using errcode = 'PT429', detail = 'too-many-tests';
  end if;
  insert into watch.alerts (user_id, chat_id, kind, event_key, payload)
  values (me, send_test_message.chat_id, 'test', gen_random_uuid()::text, '{}');
end;
$$;
comment on function public.send_test_message(bigint) is 'Sends a test message to a connected chat of the caller, three an hour.';

revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
revoke execute on function public.send_test_message(bigint) from public, anon;
grant execute on function public.send_test_message(bigint) to authenticated;
