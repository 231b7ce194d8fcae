-- A search also says when all its chats are muted, and when the operator has paused everything: neither tells anybody anything.

-- When the first of a search's connected chats is told again: infinity where none is until it says so, null while one is told.
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

revoke execute on function watch.muted_until(uuid, uuid, text[]) from public;

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
    'muted_until', watch.muted_until(search, filters.user_id, filters.receiver_ids),
    'is_held', exists (select from watch.pause),
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
