-- How a search fares, whole: who can be told of it, what became of its alerts, when it was last checked; and a mail to whoever
-- nobody could be told for a day.

alter table watch.searches
  -- The last check before a pause, a loss of all chats or a change of feeds.
  add column checked_at timestamptz;

create function private.note_last_check() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if old.begun_at is not null and old.feed_key is not null then
    new.checked_at := coalesce((select last_ok_at from watch.feeds where key = old.feed_key), old.checked_at);
  end if;
  if new.filter_url <> old.filter_url and new.begun_at is null then
    new.checked_at := null;
  end if;
  return new;
end;
$$;

revoke execute on function private.note_last_check() from public;

create trigger last_check_is_noted
  before update of feed_key, filter_url on watch.searches
  for each row execute function private.note_last_check();

-- The chats that a search names, by whether they can be told. Waiting are those whose yes is awaited: one that could not be
-- asked is neither waiting nor lost. Of an only chat also how it was lost.
create function watch.chat_counts(person uuid, receiver_ids text[]) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'named', cardinality(receiver_ids),
    'connected', count(*) filter (where chats.state = 'connected'),
    'waiting', count(*) filter (where chats.state = 'waiting' and chats.reason is null),
    'lost', count(*) filter (where chats.state in ('declined', 'blocked', 'unreachable')),
    'only_loss', case when cardinality(receiver_ids) = 1 then min(case
      when chats.state = 'declined' and chats.reason = 'stopped' then 'stopped'
      when chats.state in ('declined', 'blocked', 'unreachable') then chats.state
    end) end
  )
  from public.chats
  where chats.user_id = person and chats.chat_id::text = any (receiver_ids);
$$;

revoke execute on function watch.chat_counts(uuid, text[]) from public;

-- What became of the last day's alerts about listings: greetings, tests and notices are none. Each counts once, however many
-- chats it goes to, and as the best that became of it: found = told + waiting + undelivered.
create function watch.alert_counts(person uuid, search uuid, is_first boolean) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'found', count(*),
    'told', count(*) filter (where is_told),
    'waiting', count(*) filter (where is_waiting and not is_told),
    'undelivered', count(*) filter (where not is_waiting and not is_told)
  )
  from (
    select bool_or(state in ('sent', 'merged')) as is_told, bool_or(state in ('pending', 'sending')) as is_waiting
    from watch.alerts
    where user_id = person and created_at > now() - interval '1 day'
      and kind in ('new', 'price-drop', 'back', 'readvertised', 'gone')
      and (search = any (search_ids) or is_first and search_ids is null)
    group by listing_id, case kind when 'readvertised' then 'new' else kind end, event_key
  ) as told;
$$;

revoke execute on function watch.alert_counts(uuid, uuid, boolean) from public;

-- The newest listing that a search found; of the first search also what nobody noted a search for.
create function watch.last_find_of(person uuid, search uuid, is_first boolean) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'listing_id', listings.listing_id, 'title', listings.details ->> 'title', 'price_eur', listings.details -> 'price',
    'at', listings.created_at
  )
  from public.listings
  where listings.user_id = person and (search = any (listings.search_ids) or is_first and listings.search_ids = '{}')
  order by listings.created_at desc limit 1;
$$;

revoke execute on function watch.last_find_of(uuid, uuid, boolean) from public;

create function watch.latest_alerts_of(person uuid, search uuid, is_first boolean) returns jsonb
  language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(latest) order by latest.created_at desc, latest.id), '[]')
  from (
    select alerts.id, alerts.kind, alerts.chat_id, alerts.state, alerts.created_at, alerts.sent_at, alerts.listing_id,
      alerts.payload -> 'listing' ->> 'title' as title,
      alerts.payload -> 'listing' -> 'priceEur' as price_eur,
      alerts.payload -> 'listing' ->> 'url' as url
    from watch.alerts
    where alerts.user_id = person and alerts.kind in ('new', 'price-drop', 'back', 'readvertised', 'gone')
      and (search = any (alerts.search_ids) or is_first and alerts.search_ids is null)
    order by alerts.created_at desc, alerts.position desc limit 5
  ) as latest;
$$;

revoke execute on function watch.latest_alerts_of(uuid, uuid, boolean) from public;

-- How one search fares, as the page, the bot and mails tell it.
create or replace function watch.state_of_search(search uuid)
 returns jsonb
 language sql
 stable
 set search_path = ''
as $$
  select jsonb_build_object(
    'id', filters.id,
    'is_paused', filters.is_paused,
    'chats', watch.chat_counts(filters.user_id, filters.receiver_ids),
    'problem', searches.problem,
    'begun_at', searches.begun_at,
    'interval_seconds', live.interval_seconds,
    'is_served_by_mail', watch.is_served_by_mail(filters.user_id),
    'spent_until', spent.until,
    -- What its feed saw before the search joined it is no check of this search.
    'last_ok_at', greatest(case when searches.begun_at is not null then feeds.last_ok_at end, searches.checked_at),
    'next_check_at', live.next_check_at,
    -- Spent requests are no failure any more once the month has turned.
    'failing_since', case when spent.is_over then null else live.failing_since end,
    'failure_reason', case when spent.is_over then null else live.failure_reason end,
    'failed_rounds', coalesce(live.failed_rounds, 0),
    'alerts', watch.alert_counts(filters.user_id, search, filters.is_first),
    'last_find', watch.last_find_of(filters.user_id, search, filters.is_first),
    'last_told', (
      select jsonb_build_object('source', alerts.source, 'at', alerts.sent_at)
      from watch.alerts
      where alerts.user_id = filters.user_id and alerts.source is not null and alerts.sent_at is not null
        and (search = any (alerts.search_ids) or filters.is_first and alerts.search_ids is null)
      order by alerts.created_at desc, alerts.position desc limit 1
    ),
    'freshness', watch.freshness_of(filters.user_id),
    'latest_alerts', watch.latest_alerts_of(filters.user_id, search, filters.is_first)
  )
  from watch.saved_searches as filters
  left join watch.searches on searches.filter_id = filters.id and searches.filter_url = filters.filter_url
  left join watch.feeds on feeds.key = searches.feed_key
  left join watch.feeds as live on live.key = feeds.key and live.idle_since is null
  left join lateral (
    select coalesce(live.spent_until <= now(), false) as is_over,
      case when live.spent_until is null or live.spent_until > now() then coalesce(live.spent_until, watch.next_month()) end
        as until
    where live.failing_since is not null and live.failure_reason = 'quota-spent'
  ) as spent on true
  where filters.id = search;
$$;

drop function watch.can_tell(uuid, text[]);

-- Since when none of a person's chats can be told, and when they were written to about it. Ends with the first chat that can.
create table watch.silences (
  user_id uuid primary key references auth.users (id) on delete cascade,
  since timestamptz not null default now(),
  mailed_at timestamptz
);

comment on table watch.silences is 'People of whose chats none can be told.';

create function private.end_silence() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from watch.silences where user_id = new.user_id;
  return null;
end;
$$;

revoke execute on function private.end_silence() from public;

create trigger connected_chat_ends_silence
  after insert or update of state on public.chats
  for each row when (new.state = 'connected')
  execute function private.end_silence();

-- What another began under an address is no silence of whoever proved it theirs.
create or replace function private.forget_setup(person uuid)
 returns void
 language sql
 security definer
 set search_path = ''
as $$
  delete from public.other_searches where user_id = person;
  delete from public.filter_settings where user_id = person;
  delete from public.chats where user_id = person;
  delete from public.listings where user_id = person;
  delete from public.own_places where user_id = person;
  delete from public.find_settings where user_id = person;
  delete from public.marks where user_id = person;
  delete from watch.link_tokens where user_id = person;
  delete from watch.chat_questions where user_id = person;
  delete from watch.alerts where user_id = person;
  delete from watch.silences where user_id = person;
  update public.profiles set language = null where id = person;
$$;

alter table private.account_mails drop constraint account_mails_kind_check;
-- squawk-ignore constraint-missing-not-valid
alter table private.account_mails add constraint account_mails_kind_check check (
  kind in ('password-changed', 'chat-connected', 'account-deleted', 'nobody-hears')
);

-- Whoever has a search that is not paused and no chat that can be told. A pause stops the clock; what was written stays written.
create function watch.note_silences() returns void
  language plpgsql set search_path = ''
as $$
begin
  insert into watch.silences (user_id)
  select distinct saved.user_id from watch.saved_searches as saved
  join auth.users as people
    on people.id = saved.user_id and (people.banned_until is null or people.banned_until <= now())
  where not saved.is_paused and not exists (
    select from public.chats where chats.user_id = saved.user_id and chats.state = 'connected'
  )
  on conflict (user_id) do nothing;

  delete from watch.silences
  where exists (select from public.chats where chats.user_id = silences.user_id and chats.state = 'connected')
    or mailed_at is null and not exists (
      select from watch.saved_searches as saved where saved.user_id = silences.user_id and not saved.is_paused
    );

  -- The row that is marked and the mail are one: neither two machines nor a kill between them make two mails or none.
  with due as (
    update watch.silences set mailed_at = now()
    where mailed_at is null and since <= now() - interval '1 day'
    returning user_id
  )
  insert into private.account_mails (kind, user_id) select 'nobody-hears', user_id from due;
end;
$$;

comment on function watch.note_silences() is 'Notes whom nobody can be told for, and writes to each once after a day of it.';

revoke execute on function watch.note_silences() from public;
