-- The outbox. A row is written in the transaction that found its cause, and is the truth about whether it was told.
create table watch.alerts (
  id uuid primary key default gen_random_uuid(),
  -- The order of telling within a chat.
  position bigint generated always as identity,
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_id bigint not null,
  kind text not null check (
    kind in ('new', 'price-drop', 'back', 'readvertised', 'gone', 'begun', 'blind', 'sight', 'question', 'test')
  ),
  -- The portal's code, where the alert is about one listing.
  listing_id text check (char_length(listing_id) between 1 and 64),
  -- Tells one event of a kind from the next: the new price of a drop, the beginning of an outage.
  event_key text not null default '' check (char_length(event_key) <= 200),
  -- The facts as they were when the event was found; src/core/alert.ts has its shapes.
  payload jsonb not null check (jsonb_typeof(payload) = 'object' and pg_column_size(payload) <= 16384),

  -- pending -> sending (leased) -> sent | pending again (retry) | undeliverable (the chat) | expired (a day of tries)
  -- merged: the chat was told the same through another person, or in a summary.
  state text not null default 'pending' check (
    state in ('pending', 'sending', 'sent', 'merged', 'undeliverable', 'expired')
  ),
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  lease_until timestamptz,
  lease_by uuid,
  last_error text,
  -- A try ended without an answer: the message may have arrived.
  is_ambiguous boolean not null default false,
  message_id bigint,
  created_at timestamptz not null default now(),
  sent_at timestamptz,

  -- An event is told to a chat once for a person, however often it is found.
  constraint alert_exists_once unique nulls not distinct (user_id, chat_id, kind, listing_id, event_key)
);

comment on table watch.alerts is 'What is to be told to a chat, and whether it was.';

create index alerts_open on watch.alerts (chat_id, position) where state in ('pending', 'sending');
create index alerts_of_a_chat_and_listing on watch.alerts (chat_id, listing_id) where listing_id is not null;
create index alerts_newest_of_a_person on watch.alerts (user_id, created_at desc);
create index alerts_by_age on watch.alerts (created_at);

create function private.announce_alerts() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  perform pg_notify('alerts', '');
  return null;
end;
$$;

create trigger alerts_are_announced
  after insert on watch.alerts
  for each statement execute function private.announce_alerts();

-- Hidden: neither this home nor its later adverts are told to the person again. Kept: its end and its price cuts are.
create table watch.marks (
  user_id uuid not null references auth.users (id) on delete cascade,
  listing_id text not null check (char_length(listing_id) between 1 and 64),
  mark text not null check (mark in ('hidden', 'kept')),
  created_at timestamptz not null default now(),
  primary key (user_id, listing_id)
);

comment on table watch.marks is 'Listings a person hid or kept, by a button under an alert.';

create index marks_by_listing on watch.marks (listing_id);

-- A changed list of chats: rows go, rows come, and a chat that did not ask for this is asked once.
create function private.follow_receiver_ids() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  owner constant uuid := coalesce(new.user_id, old.user_id);
begin
  if tg_op = 'DELETE' then
    delete from public.chats where user_id = owner;
    return null;
  end if;

  delete from public.chats where user_id = owner and not (chat_id = any (new.receiver_ids::bigint[]));

  insert into watch.chats (chat_id)
  select distinct unnest(new.receiver_ids)::bigint
  on conflict (chat_id) do nothing;

  -- Typed soon after the chat itself asked for its id, and held by nobody else: connected. Its name is shown only then.
  insert into public.chats (user_id, chat_id, kind, title, state, reason)
  select owner, met.chat_id,
    case when vouched.is_so then met.kind end,
    case when vouched.is_so then met.title end,
    case when vouched.is_so then 'connected' when asked.answer = 'no' then 'declined' else 'waiting' end,
    case when vouched.is_so then null when asked.answer = 'no' then 'said-no' when others.connected >= 5 then 'full' end
  from watch.chats as met
  left join watch.chat_questions as asked on asked.chat_id = met.chat_id and asked.user_id = owner
  cross join lateral (
    select count(*) filter (where state <> 'waiting') as holding,
      count(*) filter (where state = 'connected') as connected
    from public.chats where chats.chat_id = met.chat_id and chats.user_id <> owner
  ) as others
  cross join lateral (
    select others.holding = 0 and coalesce(met.asked_id_at > now() - interval '24 hours', false) as is_so
  ) as vouched
  where met.chat_id = any (new.receiver_ids::bigint[])
  on conflict (user_id, chat_id) do nothing;

  perform private.ask_waiting_chats(owner);
  return null;
end;
$$;

create function private.ask_waiting_chats(owner uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.chats set reason = 'too-many-questions'
  where user_id = owner and state = 'waiting' and reason is null
    and not exists (
      select from watch.chat_questions as asked where asked.user_id = owner and asked.chat_id = chats.chat_id
    )
    and (
      (select count(*) from watch.chat_questions as asked
        where asked.chat_id = chats.chat_id and asked.asked_at > now() - interval '1 day') >= 5
      or (select count(*) from watch.chat_questions as asked
        where asked.user_id = owner and asked.asked_at > now() - interval '1 day') >= 20
    );

  with asked as (
    insert into watch.chat_questions (user_id, chat_id)
    select owner, chat_id from public.chats where user_id = owner and state = 'waiting' and reason is null
    on conflict (user_id, chat_id) do nothing
    returning chat_id
  )
  insert into watch.alerts (user_id, chat_id, kind, payload)
  select owner, asked.chat_id, 'question', jsonb_build_object('email', private.masked_email(owner)) from asked
  on conflict do nothing;
end;
$$;

-- Enough for the person to know whose alerts these are, too little for a stranger to write to them: a***@example.com
create function private.masked_email(person uuid) returns text
  language sql stable security definer set search_path = ''
as $$
  select left(email, 1) || '***' || substring(email from '@.*$') from public.profiles where id = person;
$$;

revoke execute on function private.ask_waiting_chats(uuid) from public;
revoke execute on function private.masked_email(uuid) from public;

create trigger filter_settings_chats_follow
  after insert or delete or update of receiver_ids on public.filter_settings
  for each row execute function private.follow_receiver_ids();

-- Whether a chat can be reached, for everyone who writes to it.
create function watch.set_standing(chat bigint, new_standing text, why text) returns void
  language sql volatile set search_path = ''
as $$
  insert into watch.chats (chat_id, standing) values (chat, new_standing)
  on conflict (chat_id) do update set standing = excluded.standing;

  update public.chats set
    state = case when new_standing = 'ok' then 'connected' else new_standing end,
    reason = case when new_standing = 'ok' then null else why end
  where chat_id = chat and new_standing <> 'unknown'
    and state in ('connected', 'blocked', 'unreachable')
    and (state, reason) is distinct from
      (case when new_standing = 'ok' then 'connected' else new_standing end, case when new_standing = 'ok' then null else why end);

  -- Who waits for a chat's yes learns that the question could not be put.
  update public.chats set reason = case when new_standing = 'unreachable' then why end
  where chat_id = chat and state = 'waiting' and reason is distinct from 'full'
    and reason is distinct from case when new_standing = 'unreachable' then why end;
$$;

comment on function watch.set_standing(bigint, text, text) is 'Notes that a chat can or cannot be reached, and tells its people.';

-- A group that became a supergroup has a new id; every row that names the old one follows.
create function watch.move_chat(from_chat bigint, to_chat bigint) returns void
  language plpgsql set search_path = ''
as $$
begin
  if from_chat = to_chat then
    return;
  end if;
  insert into watch.chats as known (chat_id, kind, title, language, telegram_language, standing, asked_id_at, muted_until)
  select to_chat, 'supergroup', title, language, telegram_language, 'ok', asked_id_at, muted_until
  from watch.chats where chat_id = from_chat
  on conflict (chat_id) do update set
    kind = 'supergroup',
    standing = 'ok',
    title = coalesce(known.title, excluded.title),
    language = coalesce(known.language, excluded.language);

  -- First the rows themselves, so that the change of the lists below finds them in place.
  delete from public.chats as old using public.chats as kept
  where old.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = old.user_id;
  update public.chats set chat_id = to_chat, kind = 'supergroup' where chat_id = from_chat;

  update public.filter_settings set receiver_ids = (
    select array_agg(distinct case id when from_chat::text then to_chat::text else id end)
    from unnest(receiver_ids) as id
  )
  where from_chat::text = any (receiver_ids);

  delete from watch.chat_questions as old using watch.chat_questions as kept
  where old.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = old.user_id;
  update watch.chat_questions set chat_id = to_chat where chat_id = from_chat;

  delete from watch.alerts as old using watch.alerts as kept
  where old.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = old.user_id and kept.kind = old.kind
    and kept.listing_id is not distinct from old.listing_id and kept.event_key = old.event_key;
  update watch.alerts set chat_id = to_chat where chat_id = from_chat;

  delete from watch.chats where chat_id = from_chat;
end;
$$;

comment on function watch.move_chat(bigint, bigint) is 'Rewrites a chat''s id everywhere, for a group that became a supergroup.';

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

revoke execute on function public.send_test_message(bigint) from public, anon;
grant execute on function public.send_test_message(bigint) to authenticated;
