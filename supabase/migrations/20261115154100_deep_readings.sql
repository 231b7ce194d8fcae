-- Deep readings take turns and go on where they stopped: what one has read is kept page by page, and a check of the feed
-- takes it in when it is whole.

alter table watch.feeds
  -- A deep reading failed; until then the feed is left alone.
  add column deep_not_before timestamptz;

create table watch.deep_pages (
  feed_key text not null references watch.feeds (key) on delete cascade,
  page integer not null check (page > 0),
  -- In the portal's order; src/core/listing.ts has the shape of each.
  listings jsonb not null check (jsonb_typeof(listings) = 'array'),
  read_at timestamptz not null,
  -- The reading ends here: as deep as it goes, or because the list does.
  is_last boolean not null,
  is_end_of_list boolean not null,
  primary key (feed_key, page)
);

comment on table watch.deep_pages is 'Deep readings under way: the pages that were read and not yet taken in.';

alter table watch.deep_pages enable row level security;

create table watch.deep_turns (
  source text primary key check (source in ('official', 'by-url')),
  holder uuid not null,
  -- Nobody else reads deeper before then.
  until timestamptz not null
);

comment on table watch.deep_turns is 'Who reads deeper now, one at a time for each source, over all processes.';

alter table watch.deep_turns enable row level security;
