-- What the month's requests carry, said the same everywhere; and how soon people were told, by source.

create table public.watch_intervals (
  -- As in watch.feeds.
  source text primary key check (char_length(source) between 1 and 64),
  -- How often every search of this source is checked now, and a new one would be.
  interval_seconds integer not null check (interval_seconds > 0),
  -- The month's requests are spent until then.
  spent_until timestamptz
);

comment on table public.watch_intervals is 'How often searches are checked now, by source; nothing of a person.';

alter table public.watch_intervals enable row level security;
revoke all on public.watch_intervals from anon, authenticated;
grant select on public.watch_intervals to anon, authenticated;

create policy "Guests read how often searches are checked" on public.watch_intervals for select to anon using (true);
create policy "People read how often searches are checked" on public.watch_intervals
  for select to authenticated using (true);

alter table watch.feeds
  -- The source said when it can be asked again; only beside the failure quota-spent.
  add column spent_until timestamptz;

alter table watch.demo_filters
  -- Whether the demo has a feed of its own; otherwise it shows what the feeds of others see.
  add column may_cost boolean not null default true;

alter table watch.request_budgets
  add column monthly_requests bigint check (monthly_requests >= 0),
  -- The operator is told once a month that most are used, and once a day which searches cost much.
  add column warned_month date,
  add column costs_told_on date;

-- Shows how soon alerts were told without going through all of them.
-- squawk-ignore require-concurrent-index-creation
create index alerts_told on watch.alerts (created_at desc) include (source, seen_at, sent_at)
  where seen_at is not null and sent_at is not null and held_at is null;

create function watch.is_served_by_mail(person uuid) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (
    select from public.received_mails
    where user_id = person and outcome in ('alert', 'digest') and received_at > now() - interval '30 days'
  );
$$;

comment on function watch.is_served_by_mail(uuid) is 'Whether a portal''s alert mails have come for a person lately.';

-- The first moment of next month as requests are counted.
create function watch.next_month() returns timestamptz
  language sql stable set search_path = ''
as $$
  select (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC';
$$;

comment on function watch.next_month() is 'When a month''s requests begin anew.';

-- What was told within the last thirty days and did not wait for the end of quiet hours or a mute: those waits are wishes.
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

comment on function watch.freshness_of(uuid) is 'How soon a person was told after a source saw it; null under five alerts.';

create or replace function watch.state_of(person uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'is_paused', filters.is_paused,
    'can_tell', exists (select from watch.reachable_people where reachable_people.user_id = person),
    'problem', searches.problem,
    'begun_at', searches.begun_at,
    'interval_seconds', live.interval_seconds,
    'is_served_by_mail', watch.is_served_by_mail(person),
    'spent_until', spent.until,
    'last_ok_at', feeds.last_ok_at,
    'next_check_at', live.next_check_at,
    -- Spent requests are no failure any more once the month has turned.
    'failing_since', case when spent.is_over then null else live.failing_since end,
    'failure_reason', case when spent.is_over then null else live.failure_reason end,
    'failed_rounds', coalesce(live.failed_rounds, 0),
    'found_last_day', (
      select count(*) from public.listings
      where listings.user_id = person and listings.created_at > now() - interval '1 day'
    ),
    'alerts_sent', (select count(*) from watch.alerts where alerts.user_id = person and alerts.state = 'sent'),
    'alerts_waiting', (
      select count(*) from watch.alerts where alerts.user_id = person and alerts.state in ('pending', 'sending')
    ),
    'last_told', (
      select jsonb_build_object('source', alerts.source, 'at', alerts.sent_at)
      from watch.alerts
      where alerts.user_id = person and alerts.source is not null and alerts.sent_at is not null
      order by alerts.created_at desc, alerts.position desc limit 1
    ),
    'freshness', watch.freshness_of(person),
    'latest_alerts', (
      select coalesce(jsonb_agg(to_jsonb(latest) order by latest.created_at desc, latest.id), '[]')
      from (
        select alerts.id, alerts.kind, alerts.chat_id, alerts.state, alerts.created_at, alerts.sent_at, alerts.listing_id,
          alerts.payload -> 'listing' ->> 'title' as title,
          alerts.payload -> 'listing' -> 'priceEur' as price_eur,
          alerts.payload -> 'listing' ->> 'url' as url
        from watch.alerts
        where alerts.user_id = person and alerts.kind in ('new', 'price-drop', 'back', 'readvertised', 'gone')
        order by alerts.created_at desc, alerts.position desc limit 5
      ) as latest
    )
  )
  from public.filter_settings as filters
  left join watch.searches on searches.filter_id = filters.id and searches.filter_url = filters.filter_url
  left join watch.feeds on feeds.key = searches.feed_key
  left join watch.feeds as live on live.key = feeds.key and live.idle_since is null
  left join lateral (
    select coalesce(live.spent_until <= now(), false) as is_over,
      case when live.spent_until is null or live.spent_until > now() then coalesce(live.spent_until, watch.next_month()) end
        as until
    where live.failing_since is not null and live.failure_reason = 'quota-spent'
  ) as spent on true
  where filters.user_id = person;
$$;
