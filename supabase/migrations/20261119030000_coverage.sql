-- What each search has covered, what was told to each person, and what is known of each advert: data over time, from which
-- "new for this search" is decided. docs/decisions/0017-coverage.md explains the model.

alter table watch.feeds
  -- The start of the last complete reading: whatever was listed before it has been seen.
  add column covered_at timestamptz,
  -- From when on the feed's readings connect without a hole.
  add column covered_from timestamptz,
  -- How many adverts the source said it lists.
  add column listed_total integer;

alter table watch.portal_listings
  add column facts_key text,
  -- It was listed by then at the latest: the moment of the first reading that showed it as new, or an earlier one that an advert
  -- published after it proves.
  add column listed_by timestamptz,
  -- Its facts before they were last corrected, without the price.
  add column former_listing jsonb,
  add column corrected_at timestamptz;

-- As in watch.portal_listings: equal while the facts that searches ask about are equal. What this feed has passed on.
alter table watch.feed_listings add column facts_key text;

drop view watch.live_searches;
drop trigger last_check_is_noted on watch.compiled_searches;
drop function private.note_last_check();
drop index watch.compiled_searches_to_start;

create table watch.coverage (
  search_id uuid not null references public.searches (id) on delete cascade,
  -- Feeds that nobody needs are deleted; what they covered stays.
  feed_key text not null,
  from_at timestamptz not null,
  -- Null while the search follows the feed: then it is covered as far as the feed was read.
  until_at timestamptz,
  ended_by text check (ended_by in ('edited', 'paused', 'no-chat', 'banned', 'moved')),
  check (until_at >= from_at)
);
comment on table watch.coverage is
  'The times in which every event of a home that fits the search was decided: told, left out by a rule, or summed up.';
create unique index coverage_that_goes_on on watch.coverage (search_id) where until_at is null;
create index coverage_of_a_search on watch.coverage (search_id, until_at);

create table watch.gaps (
  search_id uuid not null references public.searches (id) on delete cascade,
  feed_key text not null,
  -- outage: the source failed; downtime: nobody checked; page-limit: more was new than a reading may read; quota: the month's
  -- requests were spent; feed-moved: another feed took over and did not reach as far back.
  cause text not null check (cause in ('outage', 'downtime', 'page-limit', 'quota', 'feed-moved')),
  from_at timestamptz not null,
  until_at timestamptz not null check (until_at > from_at),
  -- It is told then, unless a deeper reading has filled it before.
  tell_at timestamptz not null,
  told_at timestamptz,
  filled_at timestamptz,
  primary key (search_id, until_at)
);
comment on table watch.gaps is 'Times within the coverage of a search in which homes may have been missed, and whether that was told.';
create index gaps_to_tell on watch.gaps (tell_at) where told_at is null and filled_at is null;
create index gaps_by_age on watch.gaps (until_at);

create table watch.told (
  user_id uuid not null references auth.users (id) on delete cascade,
  listing_id text not null check (char_length(listing_id) between 1 and 64),
  -- The searches that it was told for.
  search_ids uuid[] not null default '{}',
  -- The price that was told last; null if none was said.
  price_eur double precision,
  told_at timestamptz not null,
  primary key (user_id, listing_id)
);
comment on table watch.told is
  'The homes that each person was told of. Kept while the home is on offer and a year after, apart from the rows that pages show.';
create index told_by_age on watch.told using brin (told_at);

insert into watch.alert_kinds (kind, is_about_listing, is_offer, is_holdable, is_sighted, is_question)
values ('gap', false, false, true, false, false);

-- A chat that may not be written to now is tried again, so its alerts are written and wait.
create function watch.takes_alerts(chat_state text, chat_reason text) returns boolean
  language sql immutable
as $$
  select chat_state = 'connected' or (chat_state = 'unreachable' and chat_reason = 'no-rights');
$$;
comment on function watch.takes_alerts(text, text) is 'Whether alerts are written for a chat, sent now or later.';

alter table watch.compiled_searches
  -- What it continues from: the wish before it was changed, until it has started with the new one.
  add column former_key text,
  -- When the watcher saw that it was paused, banned or without a chat.
  add column stopped_at timestamptz;
comment on column watch.compiled_searches.baseline_at is
  'Since when it follows its feed; null while it has to start on it. How far it is covered is in watch.coverage.';
comment on column watch.compiled_searches.checked_at is 'The last check before it stopped to follow its feed.';

-- The landed version: each search is covered from its start until the last check of its feed.
update watch.feeds set
  covered_at = last_ok_at,
  covered_from = least(
    last_ok_at, (select min(first_seen_at) from watch.feed_listings where feed_listings.feed_key = feeds.key)
  )
where last_ok_at is not null;
update watch.portal_listings set listed_by = first_seen_at;

insert into watch.coverage (search_id, feed_key, from_at, until_at, ended_by)
select searches.filter_id, coalesce(searches.feed_key, ''), least(searches.baseline_at, searches.covered_until),
  searches.covered_until, case when searches.covered_until is not null then 'moved' end
from watch.compiled_searches as searches left join watch.feeds on feeds.key = searches.feed_key
where searches.baseline_at is not null and searches.has_reachable_chat;
insert into watch.coverage (search_id, feed_key, from_at, until_at, ended_by)
select filter_id, coalesce(feed_key, ''), checked_at, checked_at, case when is_watched then 'no-chat' else 'paused' end
from watch.compiled_searches where baseline_at is null and checked_at is not null;
update watch.compiled_searches set
  baseline_at = case when covered_until is null then baseline_at end, former_key = search_key,
  -- How long it has been paused is not known, so what came meanwhile is summed up.
  stopped_at = case when baseline_at is null then checked_at end
where baseline_at is null or covered_until is not null;

insert into watch.told (user_id, listing_id, search_ids, price_eur, told_at)
select found.user_id, found.listing_id, found.search_ids,
  case when jsonb_typeof(found.details -> 'price') = 'number' then (found.details ->> 'price')::double precision end,
  found.created_at
from public.listings as found
where cardinality(found.search_ids) > 0 or not exists (
  select from public.left_outs as held where held.user_id = found.user_id and held.listing_id = found.listing_id
);

alter table watch.compiled_searches drop column covered_until;
create index compiled_searches_to_start on watch.compiled_searches (feed_key, filter_id) where baseline_at is null;

create view watch.live_searches with (security_invoker = true) as
  select compiled.filter_id, compiled.user_id, compiled.filter_url, compiled.search_key, compiled.feed_key,
    compiled.baseline_at, saved.receiver_ids, saved.is_folded
  from watch.compiled_searches as compiled
  join public.searches as saved
    on saved.id = compiled.filter_id and saved.filter_url = compiled.filter_url and not saved.is_paused
  -- A ban ends by the database's clock, as at sign-in.
  join auth.users as people
    on people.id = compiled.user_id and (people.banned_until is null or people.banned_until <= now())
  where compiled.is_watched and compiled.feed_key is not null;
comment on view watch.live_searches is
  'Searches that notify somebody now: neither paused nor of a banned person, and compiled from the saved URL.';

-- Ends what these searches cover, in the transaction of the event: as far as their feeds were read. The watcher goes on from there.
create function private.end_coverage(ids uuid[], cause text) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  -- In the order in which the watcher locks them. One that is just starting has started afterwards.
  perform from watch.compiled_searches where filter_id = any (ids) order by filter_id for update;
  update watch.coverage set
    until_at = greatest(from_at, (select covered_at from watch.feeds where key = coverage.feed_key)), ended_by = cause
  where search_id = any (ids) and until_at is null;
  update watch.compiled_searches as held set
    baseline_at = null, former_key = coalesce(held.former_key, held.search_key),
    checked_at = case when cause <> 'edited' then (select last_ok_at from watch.feeds where key = held.feed_key) end
  where filter_id = any (ids) and baseline_at is not null;
end;
$$;

create function private.end_coverage_of_changed_search() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.is_paused and not old.is_paused then
    perform private.end_coverage(array[new.id], 'paused');
  elsif new.filter_url <> old.filter_url then
    perform private.end_coverage(array[new.id], 'edited');
  elsif new.receiver_ids <> old.receiver_ids and not exists (
    select from public.chats
    where chats.user_id = new.user_id and watch.takes_alerts(chats.state, chats.reason)
      and chats.chat_id::text = any (new.receiver_ids)
  ) then
    perform private.end_coverage(array[new.id], 'no-chat');
  end if;
  return null;
end;
$$;

create trigger searches_end_coverage
  after update of filter_url, is_paused, receiver_ids on public.searches
  for each row execute function private.end_coverage_of_changed_search();

create function private.end_coverage_of_lost_chat() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if not watch.takes_alerts(old.state, old.reason)
    or (tg_op = 'UPDATE' and watch.takes_alerts(new.state, new.reason) and new.chat_id = old.chat_id)
  then
    return null;
  end if;
  perform private.end_coverage(array(
    select searches.id from public.searches
    where searches.user_id = old.user_id and old.chat_id::text = any (searches.receiver_ids) and not exists (
      select from public.chats
      where chats.user_id = old.user_id and watch.takes_alerts(chats.state, chats.reason)
        and chats.chat_id::text = any (searches.receiver_ids)
    )
    order by searches.id
  ), 'no-chat');
  return null;
end;
$$;

create trigger chats_end_coverage
  after delete or update of state, reason, chat_id on public.chats
  for each row execute function private.end_coverage_of_lost_chat();

create function private.end_coverage_of_banned() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_coverage(array(select id from public.searches where user_id = new.id order by id), 'banned');
  return null;
end;
$$;

create trigger end_coverage_of_banned
  after update of banned_until on auth.users
  for each row when (new.banned_until > now())
  execute function private.end_coverage_of_banned();

CREATE OR REPLACE FUNCTION watch.bring_back(person uuid, meant_id text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  returned uuid[];
begin
  perform private.lock_person(person);
  with ended as (
    update public.left_outs set returned_at = at
    where user_id = person and listing_id = meant_id and returned_at is null
    returning search_id, payload
  ), alerted as (
    insert into watch.alerts as held (
      user_id, chat_id, kind, listing_id, payload, seen_at, not_before, created_at, search_ids
    )
    select person, chats.chat_id, 'new', meant_id, (array_agg(ended.payload))[1], null, at, at,
      array_agg(saved.id order by saved.id)
    from ended join public.searches as saved on saved.id = ended.search_id
    cross join unnest(saved.receiver_ids) as named (chat_id)
    join public.chats on chats.user_id = person and chats.chat_id = named.chat_id::bigint 
      and watch.takes_alerts(chats.state, chats.reason)
    group by chats.chat_id order by chats.chat_id
    on conflict on constraint alert_exists_once do nothing
  ), noted as (
    insert into watch.told as held (user_id, listing_id, search_ids, price_eur, told_at)
    select person, meant_id, array_agg(distinct ended.search_id),
      min((ended.payload -> 'listing' ->> 'priceEur')::double precision), at
    from ended having count(*) > 0
    on conflict (user_id, listing_id) do update set
      search_ids = watch.joined_ids(held.search_ids, excluded.search_ids), told_at = excluded.told_at
  )
  select array_agg(search_id) into returned from ended;
  if returned is null then
    return false;
  end if;
  update public.listings set search_ids = watch.joined_ids(search_ids, returned)
  where user_id = person and listing_id = meant_id;
  return true;
end;
$function$;


revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
