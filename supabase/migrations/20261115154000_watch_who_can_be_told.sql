-- Only a filter that can tell somebody costs requests. One that cannot is matched on feeds that others pay for, and is
-- looked at within seconds of its first connected chat.

create view watch.reachable_people with (security_invoker = true) as
  select user_id from public.chats where state = 'connected';

comment on view watch.reachable_people is 'Who has a chat that alerts reach: once for each such chat.';

-- Whether the person could be told when the search was made. Those of today go on as they are.
alter table watch.searches add column can_tell boolean not null default false;
update watch.searches set can_tell = true where user_id in (select user_id from watch.reachable_people);

-- Since when somebody has needed the feed: searches without one look again when there is a newer one.
alter table watch.feeds add column live_since timestamptz not null default now();

create table watch.first_checks (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- When the person's allowance of first checks is whole again.
  whole_at timestamptz not null
);

comment on table watch.first_checks is 'How many first checks a person has had lately: each new search costs several requests.';

alter table watch.first_checks enable row level security;

create function private.announce_reachable() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('filters', id::text) from public.filter_settings
  where user_id = case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  return null;
end;
$$;

revoke execute on function private.announce_reachable() from public;

create trigger chats_that_are_connected_are_announced
  after insert on public.chats
  for each row when (new.state = 'connected')
  execute function private.announce_reachable();

create trigger chats_that_change_reach_are_announced
  after update on public.chats
  for each row when ((old.state = 'connected') <> (new.state = 'connected'))
  execute function private.announce_reachable();

create trigger chats_that_were_connected_are_announced
  after delete on public.chats
  for each row when (old.state = 'connected')
  execute function private.announce_reachable();

-- A feed that nobody pays for has no next check, and what it last failed at says nothing of now.
create or replace function watch.state_of(person uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'is_paused', filters.is_paused,
    'can_tell', exists (select from watch.reachable_people where reachable_people.user_id = person),
    'problem', searches.problem,
    'begun_at', searches.begun_at,
    'interval_seconds', live.interval_seconds,
    'last_ok_at', feeds.last_ok_at,
    'next_check_at', live.next_check_at,
    'failing_since', live.failing_since,
    'failure_reason', live.failure_reason,
    'failed_rounds', coalesce(live.failed_rounds, 0),
    'found_last_day', (
      select count(*) from public.listings
      where listings.user_id = person and listings.created_at > now() - interval '1 day'
    ),
    'alerts_sent', (select count(*) from watch.alerts where alerts.user_id = person and alerts.state = 'sent'),
    'alerts_waiting', (
      select count(*) from watch.alerts where alerts.user_id = person and alerts.state in ('pending', 'sending')
    ),
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
  where filters.user_id = person;
$$;
