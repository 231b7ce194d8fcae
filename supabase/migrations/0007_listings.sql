-- Listings: what was found for a person, what guests see, and what the watcher knows about every listing.

create table public.listings (
  listing_id text not null check (char_length(listing_id) between 1 and 64),
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  details jsonb not null check (jsonb_typeof(details) = 'object' and pg_column_size(details) <= 16384),
  -- The searches that found it.
  search_ids uuid[] not null default '{}',
  primary key (user_id, listing_id)
);
comment on table public.listings is 'Listings found for a person, one row per person and listing.';
create index listings_newest_of_a_person on public.listings (user_id, created_at desc);
create index listings_by_age on public.listings (created_at);

alter table public.listings enable row level security;
revoke all on public.listings from anon, authenticated;
grant select on public.listings to authenticated;

create policy "People read their own listings" on public.listings
  for select to authenticated using ((select auth.uid()) = user_id);

alter publication supabase_realtime add table public.listings;

-- A home that the rules of a search left out. Its row in public.listings names only searches that did not leave it out.
create table public.left_outs (
  user_id uuid not null references auth.users (id) on delete cascade,
  listing_id text not null,
  -- It may be deleted since: the home stays left out.
  search_id uuid not null,
  -- The rule that decided, as it was then; src/core/rules/rule.ts defines its shape.
  rule jsonb not null check (jsonb_typeof(rule) = 'object' and pg_column_size(rule) <= 4096),
  -- The alert that was not written: sent if the person brings the home back.
  payload jsonb not null check (jsonb_typeof(payload) = 'object' and pg_column_size(payload) <= 16384),
  left_out_at timestamptz not null default now(),
  -- The person brought it back, or it passed the rules later.
  returned_at timestamptz,
  primary key (user_id, listing_id, search_id),
  foreign key (user_id, listing_id) references public.listings (user_id, listing_id) on delete cascade
);
comment on table public.left_outs is 'Homes that the rules of a search left out, with the rule.';
create index left_outs_by_search on public.left_outs (search_id, left_out_at);

alter table public.left_outs enable row level security;
revoke all on public.left_outs from anon, authenticated;
grant select (user_id, listing_id, search_id, rule, left_out_at, returned_at) on public.left_outs to authenticated;

create policy "People read what their rules left out" on public.left_outs
  for select to authenticated using ((select auth.uid()) = user_id);

create table public.demo_listings (
  demo_id text not null check (char_length(demo_id) between 1 and 64),
  filter_id uuid not null,
  created_at timestamptz not null default now(),
  details jsonb not null check (jsonb_typeof(details) = 'object' and pg_column_size(details) <= 16384),
  primary key (filter_id, demo_id)
);
comment on table public.demo_listings is 'Listings of the fixed demo filter, shown to guests on the landing page.';
create index demo_listings_newest_of_a_filter on public.demo_listings (filter_id, created_at desc);

alter table public.demo_listings enable row level security;
revoke all on public.demo_listings from anon, authenticated;
grant select on public.demo_listings to anon, authenticated;

create policy "Guests read the demo listings" on public.demo_listings for select to anon using (true);
create policy "People read the demo listings" on public.demo_listings for select to authenticated using (true);

create table watch.portal_listings (
  listing_id text primary key check (char_length(listing_id) between 1 and 64),
  -- As a source last reported it, without the description; src/core/listing/listing.ts defines its shape.
  listing jsonb not null,
  price_eur double precision not null,
  -- The price before the latest cut of this listing, or of the previous one for the same home.
  former_price_eur double precision,
  -- The first listing of the same home; itself if there was none before.
  home_id text not null,
  -- Equal for listings that can be the same home; null if too little is known.
  home_key text,
  -- Its zone, named as in public.market_figures.
  place_id text,
  price_per_m2_eur double precision,
  warnings jsonb not null default '[]',
  photos jsonb not null default '[]',
  -- Equal for equal descriptions; null if there is none or it is too short.
  text_key text,
  -- The words of the description without case and accents, for rules; null if there is none.
  words text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Since when no feed has it, and when it last came back.
  gone_at timestamptz,
  back_at timestamptz
);
comment on table watch.portal_listings is 'Every listing a feed has met, by the portal''s code.';
create index portal_listings_of_a_home on watch.portal_listings (home_key) where home_key is not null;
create index portal_listings_by_home on watch.portal_listings (home_id);
-- The portal's ids of a town and of all its zones begin with the same 21 characters.
create index portal_listings_of_a_town on watch.portal_listings (left(place_id, 21), last_seen_at)
  where price_per_m2_eur is not null;
create index portal_listings_by_age on watch.portal_listings (last_seen_at);
create index portal_listings_by_end on watch.portal_listings (gone_at) where gone_at is not null;
create index portal_listings_by_return on watch.portal_listings (back_at) where back_at is not null;
create index portal_listings_by_text on watch.portal_listings (text_key) where text_key is not null;

-- The home of a listing: itself if no feed has met it. The planner inlines a function without settings that returns a table;
-- `limit 1` makes it look each listing up by its key.
create function watch.home_of(meant_id text) returns table (home_id text)
  language sql stable
as $$
  select coalesce(
    (select portal.home_id from watch.portal_listings as portal where portal.listing_id = meant_id limit 1), meant_id
  );
$$;

create table watch.prices (
  listing_id text not null references watch.portal_listings (listing_id) on delete cascade,
  seen_at timestamptz not null,
  price_eur double precision not null,
  primary key (listing_id, seen_at)
);
comment on table watch.prices is 'The prices of a listing, each with the moment it was first seen.';

create table watch.feed_listings (
  feed_key text not null references watch.feeds (key) on delete cascade,
  listing_id text not null references watch.portal_listings (listing_id) on delete cascade,
  rank bigint not null,
  -- What this feed knows, so that its people are notified of a change whichever feed saw it first.
  price_eur double precision not null,
  first_seen_at timestamptz not null,
  -- Consecutive readings that should have contained it and did not.
  missed integer not null default 0,
  gone_at timestamptz,
  primary key (feed_key, listing_id)
);
comment on table watch.feed_listings is 'The listings that a feed has seen, which are not new to it.';
create index feed_listings_by_rank on watch.feed_listings (feed_key, rank) where gone_at is null;
create index feed_listings_of_a_listing on watch.feed_listings (listing_id);
create index feed_listings_gone on watch.feed_listings (gone_at) where gone_at is not null;

-- For comparing the sources. No personal data.
create table watch.sightings (
  listing_id text not null check (char_length(listing_id) between 1 and 64),
  -- As in watch.alerts; '' for the listing itself.
  event_key text not null default '' check (char_length(event_key) <= 200),
  source text not null check (source in ('official', 'by-url', 'mail')),
  seen_at timestamptz not null,
  primary key (listing_id, event_key, source)
);
comment on table watch.sightings is 'When each source first saw a listing or its price cut.';
create index sightings_by_age on watch.sightings (seen_at);

-- Towns whose figures must be computed again. Rows are only added and deleted, so that no check waits for another.
create table watch.changed_towns (
  -- The first 21 characters of the zone's id, which all zones of a town share.
  town text not null
);
comment on table watch.changed_towns is 'Towns with homes that are new, changed or gone since their figures were computed.';

-- Statistics of the last 90 days, computed by src/store/finds/market-figures.ts: the only figures that the market page, the
-- map, an opened home and alerts show.
create table public.market_figures (
  -- The portal's location id, or "name:" and the town if the portal has none.
  place_id text not null,
  place_name text not null,
  operation text not null check (operation in ('sale', 'rent')),
  size_band text not null check (size_band in ('all', 'under-50', '50-79', '80-119', '120-up')),
  -- Homes, however many listings each has.
  seen_count integer not null check (seen_count >= 5),
  median_per_m2_eur double precision not null,
  -- The quartiles.
  low_per_m2_eur double precision not null,
  high_per_m2_eur double precision not null,
  -- From first seen to gone, for those that are gone; null if fewer than five are.
  median_days double precision,
  gone_count integer not null,
  cut_percent integer not null check (cut_percent between 0 and 100),
  -- At most two hundred, ascending and evenly spread; empty unless for all sizes. Shown only with a home of the zone.
  prices_per_m2_eur double precision[] not null default '{}',
  primary key (place_id, operation, size_band)
);
comment on table public.market_figures is
  'Asking prices in a zone in the last 90 days, of the homes Sereno saw; never of fewer than five.';

alter table public.market_figures enable row level security;
revoke all on public.market_figures from anon, authenticated;
grant select (
  place_id, place_name, operation, size_band, seen_count, median_per_m2_eur, low_per_m2_eur, high_per_m2_eur, median_days,
  gone_count, cut_percent
) on public.market_figures to authenticated;

create policy "People read the figures of the market" on public.market_figures
  for select to authenticated using (true);
