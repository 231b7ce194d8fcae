-- Feeds: the streams of API requests that serve the searches, and their cost.

create table watch.feeds (
  -- The canonical form of the query, so that all searches that need it share the feed.
  key text primary key,
  source text not null check (source in ('official', 'by-url')),
  query jsonb not null,
  -- The actual interval: longer than configured if the month's requests do not suffice.
  interval_seconds integer not null check (interval_seconds > 0),
  next_check_at timestamptz not null default now(),
  last_ok_at timestamptz,
  failing_since timestamptz,
  failure_reason text,
  failed_rounds integer not null default 0,
  -- The source said when to ask again; only with the failure quota-spent.
  spent_until timestamptz,
  -- Increases with every search that joins the feed, so that a process can see whether its index is complete.
  revision bigint not null default 0,
  -- The rank of the newest listing; older ones have smaller ranks.
  top_rank bigint not null default 0,
  -- The running check. A check that has lost its lease cannot commit.
  lease_id uuid,
  lease_until timestamptz,
  -- The last full scan, which finds price drops and removals further down; after a failed one the next is delayed.
  last_full_scan_at timestamptz,
  full_scan_not_before timestamptz,
  is_read_to_end boolean not null default false,
  -- A moving average, for estimating the cost of a month.
  requests_per_check double precision not null default 2,
  -- When the feed was last taken into or out of use. Searches without a feed look again when there is a newer one.
  live_since timestamptz not null default now(),
  idle_since timestamptz
);
comment on table watch.feeds is 'One stream of API requests, and the state of its checks.';

create table watch.compiled_searches (
  filter_id uuid primary key references public.searches (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The URL it was compiled from: if the saved one differs, this row is outdated.
  filter_url text not null,
  -- Equal searches have equal keys; null if the URL is not a search.
  search_key text,
  feed_key text references watch.feeds (key) on delete set null,
  problem text check (problem in ('not-a-search', 'no-source')),
  -- False for a paused search and for a banned person.
  is_watched boolean not null default true,
  -- Whether one of its chats could be reached when it was compiled.
  has_reachable_chat boolean not null default false,
  -- The feed's revision when it joined.
  revision bigint not null default 0,
  -- When its baseline was taken: listings that the feed had seen before are not new to it. Null until its first check.
  baseline_at timestamptz,
  -- Another feed covers it until then; null once its own feed does.
  covered_until timestamptz,
  -- The last check before a pause, the loss of all chats or a change of feeds.
  checked_at timestamptz,
  compiled_at timestamptz not null default now()
);
comment on table watch.compiled_searches is 'Each search as it was parsed, and the feed that serves it.';
create index compiled_searches_of_a_person on watch.compiled_searches (user_id);
create index compiled_searches_of_a_feed_by_revision on watch.compiled_searches (feed_key, revision, filter_id);
create index compiled_searches_to_start on watch.compiled_searches (feed_key, filter_id)
  where baseline_at is null or covered_until is not null;

create function private.note_last_check() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if old.baseline_at is not null and old.feed_key is not null then
    new.checked_at := coalesce((select last_ok_at from watch.feeds where key = old.feed_key), old.checked_at);
  end if;
  if new.filter_url <> old.filter_url and new.baseline_at is null then
    new.checked_at := null;
  end if;
  return new;
end;
$$;

create trigger last_check_is_noted
  before update of feed_key, filter_url on watch.compiled_searches
  for each row execute function private.note_last_check();

create view watch.live_searches with (security_invoker = true) as
  select compiled.filter_id, compiled.user_id, compiled.filter_url, compiled.search_key, compiled.feed_key,
    compiled.baseline_at, compiled.covered_until, saved.receiver_ids, saved.is_folded
  from watch.compiled_searches as compiled
  join public.searches as saved
    on saved.id = compiled.filter_id and saved.filter_url = compiled.filter_url and not saved.is_paused
  -- A ban ends by the database's clock, as at sign-in.
  join auth.users as people
    on people.id = compiled.user_id and (people.banned_until is null or people.banned_until <= now())
  where compiled.is_watched and compiled.feed_key is not null;
comment on view watch.live_searches is
  'Searches that notify somebody now: neither paused nor of a banned person, and compiled from the saved URL.';

create table watch.demo_filters (
  filter_id uuid primary key,
  filter_url text not null,
  search_key text,
  feed_key text references watch.feeds (key) on delete set null,
  joined_at timestamptz,
  -- Whether the demo may have its own feed; otherwise it shows what other feeds see.
  may_cost boolean not null default true
);
comment on table watch.demo_filters is 'The fixed filter that fills the demo, and the feed that serves it.';

create table watch.scan_pages (
  feed_key text not null references watch.feeds (key) on delete cascade,
  page integer not null check (page > 0),
  -- In the portal's order; src/core/listing/listing.ts defines their shape.
  listings jsonb not null check (jsonb_typeof(listings) = 'array'),
  read_at timestamptz not null,
  -- The last page of the scan: deep enough, or the end of the list.
  is_last boolean not null,
  is_end_of_list boolean not null,
  primary key (feed_key, page)
);
comment on table watch.scan_pages is
  'Full scans in progress: the pages read so far, until a check of the feed ingests the whole scan.';

create table watch.scan_leases (
  source text primary key check (source in ('official', 'by-url')),
  holder uuid not null,
  until timestamptz not null
);
comment on table watch.scan_leases is 'The process that runs a full scan, one per source.';

create table watch.source_defects (
  source text not null check (source in ('official', 'by-url')),
  -- unread-listing: a listing that could not be parsed; its reason is the field.
  -- filter-not-applied: the source ignored filters; its reason names them.
  -- gap: a reading that did not reach known listings, so some may have been missed.
  kind text not null check (kind in ('unread-listing', 'filter-not-applied', 'gap')),
  reason text not null check (char_length(reason) <= 100),
  amount bigint not null check (amount > 0),
  primary key (source, kind, reason)
);
comment on table watch.source_defects is
  'Counts of source data that could not be used, by source, kind and reason, for all processes.';

-- Shared by every process that uses the same key.
create table watch.request_budgets (
  name text primary key,
  month date not null,
  used bigint not null default 0 check (used >= 0),
  next_at timestamptz not null default 'epoch',
  monthly_requests bigint check (monthly_requests >= 0),
  -- The operator is warned once a month that most requests are used, and once a day which searches are expensive.
  warned_month date,
  costs_reported_on date
);
comment on table watch.request_budgets is 'Requests made this month and the earliest time of the next one, by data API.';

create table public.watch_intervals (
  -- As in watch.feeds.
  source text primary key check (char_length(source) between 1 and 64),
  -- How often searches of this source are checked now, including new ones.
  interval_seconds integer not null check (interval_seconds > 0),
  -- The month's requests are spent until then.
  spent_until timestamptz
);
comment on table public.watch_intervals is 'How often searches are checked now, by source; no personal data.';

alter table public.watch_intervals enable row level security;
revoke all on public.watch_intervals from anon, authenticated;
grant select on public.watch_intervals to anon, authenticated;

create policy "Guests read how often searches are checked" on public.watch_intervals for select to anon using (true);
create policy "People read how often searches are checked" on public.watch_intervals
  for select to authenticated using (true);

create function watch.next_month() returns timestamptz
  language sql stable set search_path = ''
as $$
  select (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC';
$$;
comment on function watch.next_month() is 'When the next month''s request count starts.';

-- Each new search costs several requests, so first checks are limited per person, per chat and per network address, and
-- for all new people together per day. src/watcher/plan/first-check-allowance.ts decides.
create table watch.first_checks (
  user_id uuid references auth.users (id) on delete cascade,
  chat_id bigint references watch.chats (chat_id) on delete cascade,
  -- A keyed hash, as in private.known_addresses.
  address_hash bytea,
  -- When the allowance is full again.
  whole_at timestamptz not null,
  -- A person's very first check.
  first_at timestamptz not null,
  constraint first_checks_are_of_one check (num_nonnulls(user_id, chat_id, address_hash) = 1),
  constraint first_checks_exist_once unique nulls not distinct (user_id, chat_id, address_hash)
);
create index first_checks_of_chats on watch.first_checks (chat_id) where chat_id is not null;
create index first_checks_of_addresses on watch.first_checks (address_hash) where address_hash is not null;
comment on table watch.first_checks is 'The recent first checks of a person, a chat or a network address.';

create table watch.newcomer_checks (
  source text not null,
  day date not null,
  checks integer not null check (checks > 0),
  -- Those of accounts that have only been used in Telegram, included in the above.
  chat_checks integer not null default 0 check (chat_checks between 0 and checks),
  primary key (source, day)
);
comment on table watch.newcomer_checks is 'First checks of new people, by source and day.';

create table watch.waiting_searches (
  search_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  until timestamptz not null
);
create index waiting_searches_of_a_person on watch.waiting_searches (user_id);
comment on table watch.waiting_searches is 'Searches whose first check waits for requests, and until when.';

-- What a URL would find before it is saved, or what is known of the listing it leads to. Computed by the watcher from what
-- the feeds have already seen.
create table watch.search_previews (
  user_id uuid primary key references auth.users (id) on delete cascade,
  filter_url text not null,
  asked_at timestamptz not null default now(),
  -- Null until the watcher has answered; src/core/search/search-preview.ts defines its shape.
  answer jsonb check (octet_length(answer::text) <= 8192),
  -- Previews since then, at most sixty an hour.
  asks integer not null default 1,
  counted_since timestamptz not null default now(),
  -- As in public.searches.
  constraint filter_url_is_of_the_portal check (
    char_length(filter_url) <= 2048 and filter_url ~ '^https://www\.idealista\.com/[A-Za-z0-9._~:/?#@!$&()*+,;=%-]+$'
  )
);
create index search_previews_to_answer on watch.search_previews (asked_at) where answer is null;
comment on table watch.search_previews is 'The last URL each person previewed, and the answer.';

create function public.preview_search(filter_url text) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_caller();
  held watch.search_previews;
begin
  perform pg_advisory_xact_lock(hashtextextended('search-preview ' || me, 0));
  select * into held from watch.search_previews where user_id = me;
  if held.filter_url = preview_search.filter_url and held.asked_at > now() - interval '10 minutes' then
    return held.answer;
  end if;
  if held.asks >= 60 and held.counted_since > now() - interval '1 hour' then
    raise exception 'At most sixty previews an hour' using errcode = 'PT429', detail = 'too-many-previews';
  end if;
  insert into watch.search_previews as previews (user_id, filter_url) values (me, preview_search.filter_url)
  on conflict (user_id) do update set
    filter_url = excluded.filter_url, asked_at = now(), answer = null,
    asks = case when previews.counted_since > now() - interval '1 hour' then previews.asks + 1 else 1 end,
    counted_since = case when previews.counted_since > now() - interval '1 hour' then previews.counted_since else now() end;
  perform pg_notify('previews', me::text);
  return null;
end;
$$;
comment on function public.preview_search(text) is
  'What a URL would find, or what is known of its listing; null while it is being computed, so call it again.';

revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
revoke execute on function public.preview_search(text) from public, anon;
grant execute on function public.preview_search(text) to authenticated;
