-- In which language a chat is spoken to, what its own buttons said of a home, and why it hears nothing.

alter table watch.chats
  -- For a chat of which Telegram says no language that is spoken here.
  add column last_language text check (last_language in ('en', 'es', 'ru', 'de', 'fr')),
  -- Why it cannot be reached, where it cannot.
  add column trouble text check (
    trouble in ('not-started', 'not-found', 'deactivated', 'kicked', 'left', 'deleted', 'no-rights', 'blocked')
  );

alter table watch.alerts
  -- What it was told in, so that it is edited and answered in the same.
  add column language text check (language in ('en', 'es', 'ru', 'de', 'fr')),
  -- What a button under it said of its home: everybody in the chat saw it, so the message may show it.
  add column chat_mark text check (chat_mark in ('hidden', 'kept'));

-- "es-ES" is Spanish; null for what is not spoken here.
create function private.spoken_language(code text) returns text
  language sql immutable set search_path = ''
as $$
  select spoken from unnest(array['en', 'es', 'ru', 'de', 'fr']) as spoken
  where spoken = split_part(replace(lower(code), '_', '-'), '-', 1);
$$;

-- A conversation and a question to a chat are in the chat's language; only where nothing is known of it in that of whoever
-- wants to be heard there. Alerts are in their person's: private.language_of_chat.
create function private.language_to_ask_in(chosen text, telegrams text, last_used text, askers text) returns text
  language sql immutable set search_path = ''
as $$
  select coalesce(chosen, private.spoken_language(telegrams), last_used, askers);
$$;

-- Of those who wait for the chat's yes, else of those whose alerts come.
create function watch.language_of_askers(chat bigint) returns text
  language sql stable set search_path = ''
as $$
  select profiles.language from public.chats join public.profiles on profiles.id = chats.user_id
  where chats.chat_id = chat and chats.state in ('waiting', 'connected') and profiles.language is not null
  order by (chats.state = 'waiting') desc, chats.created_at, chats.user_id limit 1;
$$;

revoke execute on function private.spoken_language(text) from public;
revoke execute on function private.language_to_ask_in(text, text, text, text) from public;
revoke execute on function watch.language_of_askers(bigint) from public;

-- Hides, keeps or (null) unmarks a home for a person: the listing that is named, and every other advert of it that was found
-- for them. What was sent of it is written anew. In the chat where it was said that waits for a word of the bot, which
-- changes the buttons first: watch.edit_messages.
create or replace function watch.mark_home(
  person uuid, meant_id text, new_mark text, at timestamptz, said_in bigint default null
) returns void
  language plpgsql set search_path = ''
as $$
declare
  meant constant text[] := watch.own_adverts(person, meant_id) || meant_id;
begin
  if new_mark is null then
    update public.marks set mark = null, chat_id = null, updated_at = at
    where user_id = person and listing_id = any (meant) and note is not null and mark is not null;
    delete from public.marks where user_id = person and listing_id = any (meant) and note is null;
  else
    insert into public.marks (user_id, listing_id, mark, created_at, updated_at)
    select distinct person, id, new_mark, at, at from unnest(meant) as id order by id
    on conflict (user_id, listing_id) do update set mark = excluded.mark, updated_at = excluded.updated_at;
  end if;

  -- What a chat said holds until something else is said anywhere.
  update watch.alerts set chat_mark = case when chat_id = said_in then new_mark end
  where chat_id in (select chats.chat_id from public.chats where chats.user_id = person)
    and listing_id = any (meant) and user_id = person
    and chat_mark is distinct from case when chat_id = said_in then new_mark end
    and (chat_id = said_in or chat_mark is distinct from new_mark);
  update watch.alerts set edit_due_at = 'infinity', edit_attempts = 0
  where chat_id = said_in and listing_id = any (meant) and user_id = person and state in ('sent', 'merged')
    and message_id is not null;
  perform watch.write_anew(person, meant, at, said_in);
end;
$$;

-- What was marked in a chat, and waits for it, is edited now.
create function watch.edit_messages(chat bigint, at timestamptz) returns void
  language plpgsql set search_path = ''
as $$
begin
  update watch.alerts set edit_due_at = at where edit_due_at = 'infinity' and chat_id = chat;
  if found then
    perform pg_notify('alerts', '');
  end if;
end;
$$;

revoke execute on function watch.edit_messages(bigint, timestamptz) from public;

-- A chat that blocked the bot cannot be asked either.
alter table public.chats drop constraint chats_reason_check;
alter table public.chats add constraint chats_reason_check check (
  reason in (
    'full', 'too-many-questions', 'not-started', 'not-found', 'deactivated', 'kicked', 'left', 'deleted', 'no-rights',
    'blocked', 'said-no', 'stopped'
  )
) not valid;

create or replace function watch.set_standing(chat bigint, new_standing text, why text) returns void
  language sql volatile set search_path = ''
as $$
  update watch.chats set standing = new_standing,
    trouble = case new_standing when 'unreachable' then why when 'blocked' then 'blocked' end
  where chat_id = chat;

  update public.chats set
    state = case when new_standing = 'ok' then 'connected' else new_standing end,
    reason = case when new_standing = 'ok' then null else why end
  where chat_id = chat and new_standing <> 'unknown'
    and state in ('connected', 'blocked', 'unreachable')
    and (state, reason) is distinct from
      (case when new_standing = 'ok' then 'connected' else new_standing end, case when new_standing = 'ok' then null else why end);

  -- Who waits for a chat's yes learns that the question could not be put.
  update public.chats set reason = case new_standing when 'unreachable' then why when 'blocked' then 'blocked' end
  where chat_id = chat and state = 'waiting' and reason is distinct from 'full'
    and reason is distinct from case new_standing when 'unreachable' then why when 'blocked' then 'blocked' end;
$$;

-- /stop is no refusal of anybody: an id that is typed again afterwards says which it was.
alter table watch.chat_questions add column is_stop boolean not null default false;
comment on column watch.chat_questions.is_stop is 'The no was a /stop.';
update watch.chat_questions as asked set is_stop = true
from public.chats
where chats.user_id = asked.user_id and chats.chat_id = asked.chat_id and chats.reason = 'stopped' and asked.answer = 'no';

create or replace function private.note_answer(person uuid, chat bigint, said text) returns void
  language sql volatile set search_path = ''
as $$
  -- Where nobody was asked, an answer is kept without counting as a question.
  insert into watch.chat_questions (user_id, chat_id, asked_at, answer)
  select person, chat, 'epoch', said where said is not null
  on conflict (user_id, chat_id) do update set answer = excluded.answer, is_stop = false;

  update watch.chat_questions set answer = null, is_stop = false
  where said is null and user_id = person and chat_id = chat and answer = 'no';

  update watch.alerts set state = 'merged'
  where user_id = person and chat_id = chat and kind in ('question', 'connected') and state = 'pending';
$$;

create or replace function watch.stop_chat(chat bigint) returns integer
  language plpgsql volatile set search_path = ''
as $$
declare
  stopped integer;
begin
  update watch.chats set asked_id_at = null, muted_until = null where chat_id = chat;
  update public.chats set state = 'declined', reason = 'stopped' where chat_id = chat and state <> 'declined';
  get diagnostics stopped = row_count;
  insert into watch.chat_questions (user_id, chat_id, asked_at, answer, is_stop)
  select user_id, chat_id, 'epoch', 'no', true from public.chats where chat_id = chat and reason = 'stopped'
  on conflict (user_id, chat_id) do update set answer = 'no', is_stop = true;
  update watch.alerts set state = 'undeliverable', last_error = 'stopped' where chat_id = chat and state = 'pending';
  return stopped;
end;
$$;

-- Connected are an id whose chat once said yes to this account, and one that was typed soon after the chat itself asked
-- for its id while nobody else held it. A chat that said no to this account stays at no.
create or replace function private.add_chats(owner uuid, added bigint[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.chats (user_id, chat_id, kind, title, state, reason, confirmed_at)
  select owner, met.chat_id,
    case when asked.answer = 'yes' and others.connected < 5 then met.kind end,
    case when asked.answer = 'yes' and others.connected < 5 then met.title end,
    case when judged.is_connected then 'connected' when asked.answer = 'no' then 'declined' else 'waiting' end,
    case
      when judged.is_connected then null
      when asked.answer = 'no' then case when asked.is_stop then 'stopped' else 'said-no' end
      when others.connected >= 5 then 'full'
      -- It was asked before and is asked once: what came of that is still so.
      when asked.user_id is not null then met.trouble
    end,
    case when asked.answer = 'yes' and others.connected < 5 then now() end
  from watch.chats as met
  left join watch.chat_questions as asked on asked.chat_id = met.chat_id and asked.user_id = owner
  cross join lateral (
    select count(*) filter (where state in ('connected', 'blocked', 'unreachable')) as holding,
      count(*) filter (where state = 'connected') as connected
    from public.chats where chats.chat_id = met.chat_id and chats.user_id <> owner
  ) as others
  cross join lateral (
    select case asked.answer
      when 'yes' then others.connected < 5
      when 'no' then false
      else others.holding = 0 and coalesce(met.asked_id_at > now() - interval '24 hours', false)
        and (asked.user_id is not null or private.may_be_asked(owner, met.chat_id))
    end as is_connected
  ) as judged
  where met.chat_id = any (added)
  on conflict (user_id, chat_id) do nothing;

  -- Telling a chat is asking it too: both are answered by a button, and both are counted.
  insert into watch.chat_questions (user_id, chat_id)
  select owner, chat_id from public.chats
  where user_id = owner and chat_id = any (added) and state = 'connected' and confirmed_at is null
  order by chat_id
  on conflict (user_id, chat_id) do nothing;

  -- Once for each time the chat asked for its id, however often that id is taken out and typed again; but what never
  -- got there is told anew.
  insert into watch.alerts as told (user_id, chat_id, kind, event_key, payload)
  select owner, chats.chat_id, 'connected', extract(epoch from met.asked_id_at)::text,
    jsonb_build_object('email', private.masked_email(owner))
  from public.chats join watch.chats as met using (chat_id)
  where chats.user_id = owner and chats.chat_id = any (added) and chats.state = 'connected' and chats.confirmed_at is null
  order by chats.chat_id
  on conflict on constraint alert_exists_once do update set
    state = 'pending', not_before = now(), created_at = now(), attempts = 0, failing_since = null
  where told.state in ('undeliverable', 'expired');
end;
$$;

-- A listing as its title and facts are put into words (src/text/home-words.ts), from what is known of it beside the
-- specification's fields; those of a row that has no more.
create function watch.home_facts(person uuid, meant_id text, details jsonb) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'title', coalesce(watch.text_in(known.said -> 'title', 300), watch.text_in(details -> 'title', 300)),
    'kind', watch.text_in(known.said -> 'kind', 40),
    'typology', watch.text_in(known.said -> 'typology', 60),
    'subTypology', watch.text_in(known.said -> 'subTypology', 60),
    'address', coalesce(watch.text_in(known.said -> 'address', 300), watch.text_in(details -> 'address', 300)),
    'neighborhood', watch.text_in(known.said -> 'neighborhood', 120),
    'district', watch.text_in(known.said -> 'district', 120),
    'municipality', watch.text_in(known.said -> 'municipality', 120)
  )
  from (
    select coalesce(
      (select portal.listing from watch.portal_listings as portal where portal.listing_id = meant_id limit 1),
      (select mailed.listing from watch.mail_listings as mailed where mailed.user_id = person and mailed.listing_id = meant_id),
      '{}'
    ) as said
  ) as known;
$$;

-- The newest home that a search found; of the first search also what nobody noted a search for.
create or replace function watch.last_find_of(person uuid, search uuid, is_first boolean) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'listing_id', held.listing_id, 'home', watch.home_facts(person, held.listing_id, held.details),
    'price_eur', watch.amount_in(held.details -> 'price'), 'at', held.created_at
  )
  from public.listings as held
  where held.user_id = person and (search = any (held.search_ids) or is_first and held.search_ids = '{}')
  order by held.created_at desc limit 1;
$$;

-- The last five homes that alerts were written of, each with its latest one, however many chats were told.
create or replace function watch.latest_alerts_of(person uuid, search uuid, is_first boolean) returns jsonb
  language sql stable set search_path = ''
as $$
  with recent as (
    select alerts.* from watch.alerts
    where alerts.user_id = person and alerts.kind in ('new', 'price-drop', 'back', 'readvertised', 'gone')
      and (search = any (alerts.search_ids) or is_first and alerts.search_ids is null)
    order by alerts.created_at desc, alerts.position desc limit 200
  ), homes as (
    select distinct on (coalesce(met.home_id, recent.listing_id)) recent.*
    from recent
    left join lateral (
      select portal.home_id from watch.portal_listings as portal where portal.listing_id = recent.listing_id limit 1
    ) as met on true
    order by coalesce(met.home_id, recent.listing_id), recent.created_at desc,
      -- Of one event told to several chats: the chat that heard it.
      (recent.state in ('sent', 'merged')) desc, recent.position desc
  ), latest as (
    select * from homes order by created_at desc, position desc limit 5
  )
  select coalesce(
    jsonb_agg(jsonb_build_object(
      'id', id, 'kind', kind, 'chat_id', chat_id, 'state', state, 'created_at', created_at, 'sent_at', sent_at,
      'listing_id', listing_id, 'home', payload -> 'listing', 'price_eur', payload -> 'listing' -> 'priceEur',
      'url', payload -> 'listing' ->> 'url'
    ) order by created_at desc, position desc), '[]'
  )
  from latest;
$$;

revoke execute on function watch.home_facts(uuid, text, jsonb) from public;
revoke execute on function watch.last_find_of(uuid, uuid, boolean) from public;
revoke execute on function watch.latest_alerts_of(uuid, uuid, boolean) from public;
