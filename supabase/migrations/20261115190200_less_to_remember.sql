-- A search that moves between feeds remembers one thing: up to when the former feed told it of what came. What it was
-- told of has rows in public.listings, so nothing is told twice. And what nothing reads goes.

-- squawk-ignore-file ban-drop-column
-- Only our own processes read these columns, and they start after the migrations.
drop view watch.live_searches;

alter table watch.searches
  -- Another feed served it up to then; null where its own feed does.
  add column served_until timestamptz;
update watch.searches set served_until = coalesce(moved_since, now()) where begun_at is not null and joined_at is null;

drop index watch.searches_that_join;
alter table watch.searches drop column joined_at, drop column moved_from, drop column moved_since;
create index searches_that_join on watch.searches (feed_key, filter_id)
  where begun_at is null or served_until is not null;
-- searches_of_a_feed_by_revision begins with the same column.
drop index watch.searches_of_a_feed;

-- Searches whose people are to be told: neither paused nor banned, and made from the link that is saved now. A ban ends by
-- the clock of the database, as it does for whoever signs in.
create view watch.live_searches with (security_invoker = true) as
  select searches.filter_id, searches.user_id, searches.filter_url, searches.search_key, searches.feed_key,
    searches.begun_at, searches.served_until
  from watch.searches
  join public.filter_settings as filters
    on filters.id = searches.filter_id and filters.filter_url = searches.filter_url and not filters.is_paused
  join auth.users as people
    on people.id = searches.user_id and (people.banned_until is null or people.banned_until <= now())
  where searches.is_watched and searches.feed_key is not null;

comment on view watch.live_searches is 'The searches that find something for someone now.';

alter table watch.feeds drop column last_check_at, drop column last_gap_at, drop column created_at;
alter table watch.losses drop column last_at;
alter table watch.updates drop column received_at;
-- Who looks for open alerts of a chat finds them in alerts_open_of_a_person, which begins with the chat too.
drop index watch.alerts_open;
-- A person's row is found by its primary key, and there is one demo filter.
drop index public.listings_by_listing;
drop index watch.demo_filters_of_a_feed;
