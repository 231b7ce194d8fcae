-- What a person does with the homes found for them, in the chat or on the page: marks, notes, their own places,
-- settings.

-- Hidden: no alerts about this home or its later listings. Kept: also alerts about its price cuts and its removal.
create table public.marks (
  user_id uuid not null references auth.users (id) on delete cascade,
  listing_id text not null check (char_length(listing_id) between 1 and 64),
  -- Null in a row that only has a note.
  mark text check (mark in ('hidden', 'kept')),
  note text check (char_length(note) between 1 and 2000 and note ~ '\S'),
  -- The chat that kept it; null: alerts about it go to the chats of its searches.
  chat_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, listing_id),
  constraint says_something check (mark is not null or note is not null)
);
comment on table public.marks is 'Listings a person hid or kept, and their notes, from the chat and from the page.';
create index marks_by_listing on public.marks (listing_id);

alter table public.marks enable row level security;
revoke all on public.marks from anon, authenticated;
grant select on public.marks to authenticated;

create policy "People read their own marks" on public.marks
  for select to authenticated using ((select auth.uid()) = user_id);

alter publication supabase_realtime add table public.marks;

create table public.own_places (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  created_at timestamptz not null default now(),
  constraint name_is_a_line check (
    char_length(name) between 1 and 40 and name = btrim(name)
      and name !~ '[[:cntrl:]\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]'
      and name ~ '[^\s\u115f\u1160\u2800\u3164]'
  )
);
create index own_places_of_a_person on public.own_places (user_id, created_at, id);
comment on table public.own_places is 'Up to three places of a person to which distances are shown, such as work.';

alter table public.own_places enable row level security;
revoke all on public.own_places from anon, authenticated;
grant select, delete on public.own_places to authenticated;
grant insert (user_id, name, latitude, longitude), update (name, latitude, longitude) on public.own_places to authenticated;

create policy "People read their own places" on public.own_places
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People add places of their own" on public.own_places
  for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "People change their own places" on public.own_places
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy "People delete their own places" on public.own_places
  for delete to authenticated using ((select auth.uid()) = user_id);

alter publication supabase_realtime add table public.own_places;

create function private.limit_own_places() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Serialised per person: parallel requests would not see each other's rows.
  perform pg_advisory_xact_lock(hashtextextended('own places of ' || new.user_id, 0));
  if (select count(*) from public.own_places where user_id = new.user_id) >= 3 then
    raise exception 'Three places are enough for one person' using errcode = 'PT409', detail = 'too-many-places';
  end if;
  return new;
end;
$$;

create trigger limit_of_own_places before insert on public.own_places
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.limit_own_places();

create table public.find_settings (
  user_id uuid primary key default auth.uid() references auth.users (id) on delete cascade,
  -- Kinds of warnings that are not shown; defined in src/core/warnings/warning.ts.
  hidden_warnings text[] not null default '{}',
  -- What a message to an advertiser says about the person.
  who text check (char_length(who) between 1 and 300 and who ~ '\S'),
  job text check (char_length(job) between 1 and 300 and job ~ '\S'),
  moving_from text check (char_length(moving_from) between 1 and 300 and moving_from ~ '\S'),
  about text check (char_length(about) between 1 and 300 and about ~ '\S'),
  updated_at timestamptz not null default now(),
  constraint warnings_are_known check (
    cardinality(hidden_warnings) <= 9 and coalesce(array_ndims(hidden_warnings), 1) = 1
      and hidden_warnings <@ array[
        'far-below-zone', 'no-photo', 'seasonal', 'shared-flat', 'auction', 'bare-ownership', 'occupied',
        'pay-before-viewing', 'same-text'
      ]
  )
);
comment on table public.find_settings is
  'Which warnings a person wants to see, and what their message to an advertiser says about them.';

alter table public.find_settings enable row level security;
revoke all on public.find_settings from anon, authenticated;
grant select, delete on public.find_settings to authenticated;
grant insert (user_id, hidden_warnings, who, job, moving_from, about),
  update (user_id, hidden_warnings, who, job, moving_from, about) on public.find_settings to authenticated;

create policy "People read their own settings" on public.find_settings
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People add settings of their own" on public.find_settings
  for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "People change their own settings" on public.find_settings
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy "People delete their own settings" on public.find_settings
  for delete to authenticated using ((select auth.uid()) = user_id);

create trigger find_settings_touch_updated_at before update on public.find_settings
  for each row execute function private.touch_updated_at();

alter publication supabase_realtime add table public.find_settings;

create table watch.travel_times (
  place_id uuid not null references public.own_places (id) on delete cascade,
  -- The home's coordinates, rounded to four digits (eleven metres).
  latitude double precision not null,
  longitude double precision not null,
  foot_minutes integer check (foot_minutes >= 0),
  bicycle_minutes integer check (bicycle_minutes >= 0),
  asked_at timestamptz not null default now(),
  primary key (place_id, latitude, longitude)
);
create index travel_times_by_age on watch.travel_times (asked_at);
comment on table watch.travel_times is
  'Minutes from homes to people''s own places, from a routing server; null if it found no route.';

create table watch.moved_places (
  place_id uuid primary key references public.own_places (id) on delete cascade,
  moved_at timestamptz not null
);
comment on table watch.moved_places is 'When a person''s own place was last moved; the routing server is asked some time after the last move.';

-- Travel times to a moved place are wrong.
create function private.forget_travel_times() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from watch.travel_times where place_id = new.id;
  insert into watch.moved_places (place_id, moved_at) values (new.id, now())
  on conflict (place_id) do update set moved_at = excluded.moved_at;
  return null;
end;
$$;

create trigger travel_times_follow after update of latitude, longitude on public.own_places
  for each row when ((old.latitude, old.longitude) is distinct from (new.latitude, new.longitude))
  execute function private.forget_travel_times();

-- Moving a place costs requests to the routing server, so they are counted per person and in total.
create table watch.routing_requests (
  -- Null: the total, which deleting an account does not change.
  user_id uuid references auth.users (id) on delete cascade,
  hour timestamptz not null,
  requests integer not null check (requests > 0),
  unique nulls not distinct (user_id, hour)
);
create index routing_requests_by_hour on watch.routing_requests (hour);
comment on table watch.routing_requests is 'Requests to the routing server by person and hour; without a person: all of them.';

revoke execute on all functions in schema private from public;
