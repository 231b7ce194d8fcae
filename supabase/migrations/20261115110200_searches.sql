-- What a filter asks for, which feed of listings serves it, and what the person may know of that.

alter table public.filter_settings add column is_paused boolean not null default false;
comment on column public.filter_settings.is_paused is 'A paused filter finds nothing; the owner''s to set.';
grant update (is_paused) on public.filter_settings to authenticated;

-- Alerts wait from the one to the other, in Spain's time, and come as one summary. Unset: no quiet hours.
alter table public.profiles add column quiet_from time;
alter table public.profiles add column quiet_until time
  constraint quiet_hours_have_two_ends check (
    (quiet_from is null) = (quiet_until is null) and (quiet_from is null or quiet_from <> quiet_until)
  );
comment on column public.profiles.quiet_from is 'When quiet hours begin, in Europe/Madrid; the owner''s to choose.';
comment on column public.profiles.quiet_until is 'When quiet hours end, in Europe/Madrid; the owner''s to choose.';
grant update (quiet_from, quiet_until) on public.profiles to authenticated;

create table watch.feeds (
  -- One spelling for one question, so that everyone who needs it shares it.
  key text primary key,
  source text not null check (source in ('official', 'by-url')),
  query jsonb not null,
  -- The true interval: longer than asked for where the month's requests do not carry it.
  interval_seconds integer not null check (interval_seconds > 0),
  next_check_at timestamptz not null default now(),
  last_check_at timestamptz,
  last_ok_at timestamptz,
  failing_since timestamptz,
  failure_reason text,
  failed_rounds integer not null default 0,
  created_at timestamptz not null default now()
);

comment on table watch.feeds is 'One stream of API requests, and how its checks fare.';

create table watch.searches (
  filter_id uuid primary key references public.filter_settings (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The link it was made from: another one means the row is stale.
  filter_url text not null,
  -- Equal searches have equal keys; null where the link is no search.
  search_key text,
  feed_key text references watch.feeds (key) on delete set null,
  problem text check (problem in ('not-a-search', 'no-source')),
  -- When its baseline was taken; null until its first check.
  begun_at timestamptz,
  compiled_at timestamptz not null default now()
);

comment on table watch.searches is 'What each filter asks for, and the feed that answers it.';

create index searches_of_a_person on watch.searches (user_id);
create index searches_of_a_feed on watch.searches (feed_key);

create function private.announce_filter() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  perform pg_notify('filters', coalesce(new.id, old.id)::text);
  return null;
end;
$$;

create trigger filter_settings_are_announced
  after insert or delete or update of filter_url, receiver_ids, is_paused on public.filter_settings
  for each row execute function private.announce_filter();

-- The state of a person's watch as one object; null where there is no filter.
create function watch.state_of(person uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'is_paused', filters.is_paused,
    'problem', searches.problem,
    'begun_at', searches.begun_at,
    'interval_seconds', feeds.interval_seconds,
    'last_ok_at', feeds.last_ok_at,
    'next_check_at', feeds.next_check_at,
    'failing_since', feeds.failing_since,
    'failure_reason', feeds.failure_reason,
    'failed_rounds', coalesce(feeds.failed_rounds, 0),
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
  where filters.user_id = person;
$$;

comment on function watch.state_of(uuid) is 'How a person''s watch fares: checks, finds, alerts.';

create function public.my_watch() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select watch.state_of((select auth.uid()));
$$;

comment on function public.my_watch() is 'How the caller''s watch fares: last and next check, what was found, the latest alerts.';

revoke execute on function public.my_watch() from public, anon;
grant execute on function public.my_watch() to authenticated;

create function private.my_alerts() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'chat_id', chat_id, 'kind', kind, 'listing_id', listing_id, 'state', state, 'created_at', created_at,
        'sent_at', sent_at, 'payload', payload
      ) order by position
    ),
    '[]'
  )
  from watch.alerts where user_id = (select auth.uid());
$$;

create function private.my_marks() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('listing_id', listing_id, 'mark', mark, 'created_at', created_at)), '[]')
  from watch.marks where user_id = (select auth.uid());
$$;

revoke execute on function private.my_alerts() from public;
revoke execute on function private.my_marks() from public;
grant execute on function private.my_alerts() to authenticated;
grant execute on function private.my_marks() to authenticated;

create or replace function public.export_my_data() returns jsonb
  language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'account', private.my_account() || (
      select jsonb_build_object(
        'full_name', profiles.full_name, 'language', profiles.language,
        'quiet_from', profiles.quiet_from, 'quiet_until', profiles.quiet_until
      )
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'filter', (
      select to_jsonb(filter_settings) from public.filter_settings where user_id = (select auth.uid())
    ),
    'chats', (
      select coalesce(jsonb_agg(to_jsonb(chats) - 'user_id' order by created_at, chat_id), '[]')
      from public.chats where user_id = (select auth.uid())
    ),
    'listings', (
      select coalesce(jsonb_agg(to_jsonb(listings) order by created_at, listing_id), '[]')
      from public.listings where user_id = (select auth.uid())
    ),
    'alerts', private.my_alerts(),
    'marks', private.my_marks()
  );
$$;
