-- A search's status, as the page, the bot and mails show it.

-- The chats of a search by state. A chat that could not be asked is neither waiting nor lost. `only_chat` is
-- the chat of a search that names a single one.
create function watch.chat_counts(person uuid, receiver_ids text[]) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'named', cardinality(receiver_ids),
    'connected', count(*) filter (where chats.state = 'connected'),
    'waiting', count(*) filter (where chats.state = 'waiting' and chats.reason is null),
    'lost', count(*) filter (where chats.state in ('declined', 'blocked', 'unreachable')),
    'only_chat', case when cardinality(receiver_ids) = 1 then
      jsonb_agg(jsonb_build_object('state', chats.state, 'reason', chats.reason)) -> 0
    end
  )
  from public.chats
  where chats.user_id = person and chats.chat_id::text = any (receiver_ids);
$$;

-- When the first mute of a search's connected chats ends: infinity if only the chat can end it, null if a chat is not
-- muted.
create function watch.muted_until(search uuid, person uuid, receiver_ids text[]) returns timestamptz
  language sql stable set search_path = ''
as $$
  select case when bool_and(coalesce(silent.until > now(), false)) then min(silent.until) end
  from public.chats
  left join watch.chats as met on met.chat_id = chats.chat_id
  left join watch.search_chats as here on here.search_id = search and here.chat_id = chats.chat_id
  cross join lateral (select greatest(met.muted_until, here.muted_until) as until) as silent
  where chats.user_id = person and chats.state = 'connected' and chats.chat_id::text = any (receiver_ids);
$$;

-- The outcome of the last day's alerts about listings. A home counts once, however many alerts and chats it has, with its best
-- outcome: found = sent + waiting + undelivered.
create function watch.alert_counts(person uuid, search uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'found', count(*),
    'sent', count(*) filter (where is_sent),
    'waiting', count(*) filter (where is_waiting and not is_sent),
    'undelivered', count(*) filter (where not is_waiting and not is_sent)
  )
  from (
    select bool_or(state in ('sent', 'merged')) as is_sent, bool_or(state in ('pending', 'sending')) as is_waiting
    from watch.alerts join watch.alert_kinds using (kind)
    cross join watch.home_of(alerts.listing_id) as home
    where user_id = person and created_at > now() - interval '1 day' and is_about_listing and search = any (search_ids)
    group by home.home_id
  ) as homes;
$$;

-- The facts from which src/text/home-words.ts describes a listing; only the specified fields if no more is known.
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

-- The newest home that a search found.
create function watch.last_find_of(person uuid, search uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'listing_id', held.listing_id, 'home', watch.home_facts(person, held.listing_id, held.details),
    'price_eur', watch.amount_in(held.details -> 'price'), 'at', held.created_at
  )
  from public.listings as held
  where held.user_id = person and search = any (held.search_ids)
  order by held.created_at desc limit 1;
$$;

-- The last five homes with alerts, each with its latest alert, however many chats received it.
create function watch.latest_alerts_of(person uuid, search uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  with recent as (
    select alerts.* from watch.alerts
    where alerts.user_id = person and alerts.kind in (select kind from watch.alert_kinds where is_about_listing)
      and search = any (alerts.search_ids)
    order by alerts.created_at desc, alerts.position desc limit 200
  ), homes as (
    select distinct on (home.home_id) recent.*
    from recent cross join watch.home_of(recent.listing_id) as home
    order by home.home_id, recent.created_at desc,
      -- If one event went to several chats: one that arrived.
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

-- Without alerts delayed by quiet hours or a mute, because the person asked for that.
create function watch.freshness_of(person uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'alerts', count(*),
    'median_seconds', percentile_cont(0.5) within group (order by extract(epoch from sent_at - seen_at)),
    'p95_seconds', percentile_cont(0.95) within group (order by extract(epoch from sent_at - seen_at))
  )
  from watch.alerts
  where user_id = person and created_at > now() - interval '30 days'
    and seen_at is not null and sent_at is not null and held_at is null and state in ('sent', 'merged')
  having count(*) >= 5;
$$;
comment on function watch.freshness_of(uuid) is
  'How soon alerts were sent after a source saw their cause; null under five alerts.';

create function watch.state_of_search(search uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', filters.id,
    'is_paused', filters.is_paused,
    'chats', watch.chat_counts(filters.user_id, filters.receiver_ids),
    'muted_until', watch.muted_until(search, filters.user_id, filters.receiver_ids),
    'is_held', exists (select from watch.pause),
    'is_setup_held', watch.is_setup_held(filters.user_id),
    'problem', compiled.problem,
    'baseline_at', compiled.baseline_at,
    'interval_seconds', live.interval_seconds,
    'is_served_by_mail', watch.is_served_by_mail(filters.user_id),
    'spent_until', spent.until,
    'waits_until', (
      select waiting.until from watch.waiting_searches as waiting where waiting.search_id = search and waiting.until > now()
    ),
    -- Checks of the feed before the search joined it do not count.
    'last_ok_at', greatest(case when compiled.baseline_at is not null then feeds.last_ok_at end, compiled.checked_at),
    'next_check_at', live.next_check_at,
    -- A spent quota is no longer a failure in the next month.
    'failing_since', case when spent.is_over then null else live.failing_since end,
    'failure_reason', case when spent.is_over then null else live.failure_reason end,
    'failed_rounds', coalesce(live.failed_rounds, 0),
    'alerts', watch.alert_counts(filters.user_id, search),
    'last_find', watch.last_find_of(filters.user_id, search),
    'last_sent', (
      select jsonb_build_object('source', alerts.source, 'at', alerts.sent_at)
      from watch.alerts
      where alerts.user_id = filters.user_id and alerts.source is not null and alerts.sent_at is not null
        and search = any (alerts.search_ids)
      order by alerts.created_at desc, alerts.position desc limit 1
    ),
    'freshness', watch.freshness_of(filters.user_id),
    'latest_alerts', watch.latest_alerts_of(filters.user_id, search)
  )
  from public.searches as filters
  left join watch.compiled_searches as compiled on compiled.filter_id = filters.id and compiled.filter_url = filters.filter_url
  left join watch.feeds on feeds.key = compiled.feed_key
  left join watch.feeds as live on live.key = feeds.key and live.idle_since is null
  left join lateral (
    select coalesce(live.spent_until <= now(), false) as is_over,
      case when live.spent_until is null or live.spent_until > now() then coalesce(live.spent_until, watch.next_month()) end
        as until
    where live.failing_since is not null and live.failure_reason = 'quota-spent'
  ) as spent on true
  where filters.id = search;
$$;

create function public.my_watches() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(watch.state_of_search(id) order by is_first desc, created_at, id), '[]')
  from public.searches where user_id = (select auth.uid());
$$;
comment on function public.my_watches() is 'The status of each of the caller''s searches, the first one first.';

revoke execute on all functions in schema watch from public;
revoke execute on function public.my_watches() from public, anon;
grant execute on function public.my_watches() to authenticated;
