-- What the watcher remembers between checks: every listing it has met, and what each feed has seen of it.

alter table watch.feeds
  -- Grows with every search that comes to the feed, so that a process knows whether its index is complete.
  add column revision bigint not null default 0,
  -- The place of the newest listing; older ones have smaller ranks.
  add column top_rank bigint not null default 0,
  -- Who checks it now. A check whose lease went to another may not commit.
  add column lease_id uuid,
  add column lease_until timestamptz,
  -- When more than the newest was last read, for cuts and departures further down.
  add column last_deep_at timestamptz,
  add column is_read_to_end boolean not null default false,
  -- A mean that follows; what a month costs is reckoned with it.
  add column requests_per_check double precision not null default 2,
  -- The last time that listings may have passed unread.
  add column last_gap_at timestamptz,
  -- Nobody has needed it since.
  add column idle_since timestamptz;

alter table watch.searches
  -- False for a paused filter and for a banned person.
  add column is_watched boolean not null default true,
  -- The feed's revision with which it came.
  add column revision bigint not null default 0,
  -- When its feed began to serve it; what the feed had seen before is no news to it.
  add column joined_at timestamptz,
  -- Another feed served it up to then.
  add column moved_from text,
  add column moved_since timestamptz;

create index searches_of_a_feed_by_revision on watch.searches (feed_key, revision);
create index searches_that_join on watch.searches (feed_key, filter_id) where joined_at is null;

create table watch.demo_filters (
  filter_id uuid primary key,
  filter_url text not null,
  search_key text,
  feed_key text references watch.feeds (key) on delete set null,
  joined_at timestamptz
);

comment on table watch.demo_filters is 'The fixed filter that fills the demo, and the feed that answers it.';

create index demo_filters_of_a_feed on watch.demo_filters (feed_key);

create table watch.portal_listings (
  listing_id text primary key check (char_length(listing_id) between 1 and 64),
  -- As a source last stated it, without the description; src/core/listing.ts has its shape.
  listing jsonb not null,
  price_eur double precision not null,
  -- The first advert of the same home, itself if there was none before.
  home_id text not null,
  -- Equal for adverts that can be of one home; null where too little is known.
  home_key text,
  -- Operation, kind and neighbourhood: what its price is compared within.
  market_key text,
  price_per_m2_eur double precision,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null
);

comment on table watch.portal_listings is 'Every listing a feed has met, by the portal''s code.';

create index portal_listings_of_a_home on watch.portal_listings (home_key) where home_key is not null;
create index portal_listings_by_home on watch.portal_listings (home_id);
create index portal_listings_of_a_market on watch.portal_listings (market_key, last_seen_at)
  include (price_per_m2_eur) where price_per_m2_eur is not null;
create index portal_listings_by_age on watch.portal_listings (last_seen_at);

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
  -- What this feed knows, so that its people learn of a change whichever feed met it first.
  price_eur double precision not null,
  first_seen_at timestamptz not null,
  -- Readings in a row that should have met it and did not.
  missed integer not null default 0,
  gone_at timestamptz,
  primary key (feed_key, listing_id)
);

comment on table watch.feed_listings is 'What a feed has seen: its memory of which listings are no news.';

create index feed_listings_by_rank on watch.feed_listings (feed_key, rank) where gone_at is null;
create index feed_listings_of_a_listing on watch.feed_listings (listing_id);

create index listings_by_listing on public.listings (listing_id);
create index listings_by_age on public.listings (created_at);

-- Searches whose people are to be told: neither paused nor banned, and made from the link that is saved now.
create view watch.live_searches with (security_invoker = true) as
  select searches.filter_id, searches.user_id, searches.filter_url, searches.search_key, searches.feed_key,
    searches.begun_at, searches.joined_at, searches.moved_from, searches.moved_since, searches.revision
  from watch.searches
  join public.filter_settings as filters
    on filters.id = searches.filter_id and filters.filter_url = searches.filter_url and not filters.is_paused
  join auth.users as people
    on people.id = searches.user_id and (people.banned_until is null or people.banned_until <= now())
  where searches.is_watched and searches.feed_key is not null;

comment on view watch.live_searches is 'The searches that find something for someone now.';
