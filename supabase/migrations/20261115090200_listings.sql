-- What was found for a person, and what every visitor may see. The watcher writes both; nobody else does.
create table public.listings (
  listing_id text not null check (char_length(listing_id) between 1 and 64),
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  details jsonb not null check (jsonb_typeof(details) = 'object' and pg_column_size(details) <= 16384),
  primary key (user_id, listing_id)
);

comment on table public.listings is 'Listings found for a person: one row a person and listing.';

create index listings_newest_of_a_person on public.listings (user_id, created_at desc);

alter table public.listings enable row level security;
revoke all on public.listings from anon, authenticated;
grant select on public.listings to authenticated;

create policy "People read their own listings" on public.listings
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

alter publication supabase_realtime add table public.listings;
