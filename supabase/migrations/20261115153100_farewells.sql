-- Nothing of a deleted account stays, and each chat that got its alerts is told that it hears no more.

-- Of the migration before, in a transaction of its own so that nobody waits for it.
alter table public.chats validate constraint a_name_needs_a_yes;
alter table watch.alerts validate constraint alerts_kind_check;

-- A good-bye that is still to be said. It knows the chat alone, and is gone when it is said.
create table watch.farewells (
  chat_id bigint primary key,
  language text check (language in ('en', 'es', 'ru', 'de', 'fr')),
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);

comment on table watch.farewells is 'Chats to be told that an account whose alerts they got was deleted; each until it is told, a day at most.';

create trigger farewells_are_announced
  after insert on watch.farewells
  for each statement execute function private.announce_alerts();

-- Before the account goes, for its rows say which chats were its own.
create function private.take_leave_of_chats() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Every chat it ever had to do with; those it took out of its list may be known through it alone.
  met constant bigint[] := array(
    select chat_id from public.chats where user_id = old.id
    union select chat_id from watch.chat_questions where user_id = old.id
    union select chat_id from watch.alerts where user_id = old.id
    union select chat_id from watch.link_tokens where user_id = old.id and chat_id is not null
  );
  forgotten bigint[];
begin
  insert into watch.farewells (chat_id, language)
  select chats.chat_id, private.language_of_chat(known.language, profiles.language, known.telegram_language)
  from public.chats
  left join watch.chats as known on known.chat_id = chats.chat_id
  left join public.profiles on profiles.id = chats.user_id
  where chats.user_id = old.id and chats.state = 'connected'
  order by chats.chat_id
  on conflict (chat_id) do nothing;

  perform from watch.chats where chat_id = any (met) order by chat_id for update;
  delete from public.chats where user_id = old.id;

  forgotten := array(
    select id from unnest(met) as id where not exists (select from public.chats where chats.chat_id = id)
  );
  delete from watch.chats where chat_id = any (forgotten);
  delete from watch.chat_paces where chat_id = any (forgotten);
  delete from watch.moved_chats where from_chat_id = any (forgotten);
  update watch.link_tokens set chat_id = null where chat_id = any (forgotten);

  -- Others may have typed the id of a chat that never said a word about them: the bare id is theirs, its name is not.
  update watch.chats set kind = null, title = null, language = null, telegram_language = null, asked_id_at = null,
    muted_until = null
  where chat_id = any (met) and not exists (
    select from public.chats where chats.chat_id = watch.chats.chat_id and chats.state not in ('waiting', 'declined')
  );

  -- A feed that answers a link of theirs alone spells that link out. One that is being checked goes when it has idled.
  delete from watch.feeds where key in (
    select feeds.key from watch.feeds
    where feeds.source = 'by-url'
      and exists (select from watch.searches where searches.feed_key = feeds.key and searches.user_id = old.id)
      and not exists (select from watch.searches where searches.feed_key = feeds.key and searches.user_id <> old.id)
      and not exists (select from watch.demo_filters where demo_filters.feed_key = feeds.key)
    for update skip locked
  );
  return old;
end;
$$;

-- As delivery chooses it: the chat's own choice, else the person's, else what Telegram says. Null where none is spoken.
create function private.language_of_chat(chosen text, persons text, telegrams text) returns text
  language sql immutable set search_path = ''
as $$
  select coalesce(chosen, persons, spoken)
  from (select split_part(replace(lower(telegrams), '_', '-'), '-', 1)) as told (code)
  left join unnest(array['en', 'es', 'ru', 'de', 'fr']) as spoken on spoken = told.code;
$$;

revoke execute on function private.language_of_chat(text, text, text) from public;

create trigger chats_are_left_with_the_account
  before delete on auth.users
  for each row execute function private.take_leave_of_chats();

-- What the bot knows of chats that are in nobody's list, but for those it met or that asked for their id within a day.
-- Locked first and looked at again: a filter saved meanwhile may have taken one of them up.
create function watch.forget_chats_of_nobody(before timestamptz, batch integer) returns integer
  language plpgsql volatile set search_path = ''
as $$
declare
  idle bigint[];
  gone integer;
begin
  idle := array(
    select chat_id from watch.chats
    where created_at < before and (asked_id_at is null or asked_id_at < before)
      and not exists (select from public.chats as held where held.chat_id = watch.chats.chat_id)
    order by chat_id limit batch for update skip locked
  );
  delete from watch.chats
  where chat_id = any (idle) and not exists (select from public.chats as held where held.chat_id = watch.chats.chat_id);
  get diagnostics gone = row_count;
  return gone;
end;
$$;

comment on function watch.forget_chats_of_nobody(timestamptz, integer) is 'Deletes what is known of chats that nobody''s alerts go to.';
