-- What a person does with what was found for them, by a button in the chat or on the page of finds: marks and notes, places
-- of their own, and which signs they want to see. And what the watcher keeps beside a listing so that a find can be shown.

-- Marks become the person's own to read. A row without a mark is there for its note.
alter table watch.marks set schema public;
-- squawk-ignore ban-drop-not-null
alter table public.marks alter column mark drop not null;
alter table public.marks
  add column note text check (char_length(note) between 1 and 2000 and note ~ '\S'),
  add column updated_at timestamptz not null default now();
update public.marks set updated_at = created_at;
-- squawk-ignore constraint-missing-not-valid
alter table public.marks add constraint says_something check (mark is not null or note is not null);

comment on table public.marks is 'Listings a person hid or kept, and their notes: from the chat and from the page alike.';

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

comment on table public.own_places is 'Up to three places of a person from which distances are told, such as work.';

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

create function private.limit_own_places() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- One at a time for one person, or those that come together would not count each other.
  perform pg_advisory_xact_lock(hashtextextended('own places of ' || new.user_id, 0));
  if (select count(*) from public.own_places where user_id = new.user_id) >= 3 then
    raise exception 'Three places are enough for one person' using errcode = 'PT409', detail = 'too-many-places';
  end if;
  return new;
end;
$$;

revoke execute on function private.limit_own_places() from public;

create trigger limit_of_own_places before insert on public.own_places
  for each row execute function private.limit_own_places();

alter publication supabase_realtime add table public.own_places;

create table public.find_settings (
  user_id uuid primary key default auth.uid() references auth.users (id) on delete cascade,
  -- Kinds of signs that are not shown, and kinds whose listings are not told at all; src/core/finds/signs.ts has them.
  signs_off text[] not null default '{}',
  signs_left_out text[] not null default '{}',
  -- What a message to an advertiser says of the person.
  who text check (char_length(who) between 1 and 300 and who ~ '\S'),
  job text check (char_length(job) between 1 and 300 and job ~ '\S'),
  moving_from text check (char_length(moving_from) between 1 and 300 and moving_from ~ '\S'),
  about text check (char_length(about) between 1 and 300 and about ~ '\S'),
  updated_at timestamptz not null default now(),
  constraint signs_are_known check (
    cardinality(signs_off) <= 8 and cardinality(signs_left_out) <= 8
      and coalesce(array_ndims(signs_off), 1) = 1 and coalesce(array_ndims(signs_left_out), 1) = 1
      and signs_off || signs_left_out <@ array[
        'far-below-zone', 'no-photo', 'seasonal', 'auction', 'bare-ownership', 'occupied', 'pay-before-viewing', 'same-text'
      ]
  )
);

comment on table public.find_settings is 'Which signs a person wants to see, and what their message to an advertiser says of them.';

alter table public.find_settings enable row level security;
revoke all on public.find_settings from anon, authenticated;
grant select, delete on public.find_settings to authenticated;
grant insert (user_id, signs_off, signs_left_out, who, job, moving_from, about),
  update (user_id, signs_off, signs_left_out, who, job, moving_from, about) on public.find_settings to authenticated;

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

-- What Sereno saw in 90 days. The watcher writes it; src/store/finds/market-figures.ts says how.
create table public.market_figures (
  -- The portal's location id, or "name:" and the town where the portal has none.
  place_id text not null,
  place_name text not null,
  operation text not null check (operation in ('sale', 'rent')),
  size_band text not null check (size_band in ('all', 'under-50', '50-79', '80-119', '120-up')),
  -- Homes, whatever the number of their adverts.
  seen_count integer not null check (seen_count >= 5),
  median_per_m2_eur double precision not null,
  -- The quartiles.
  low_per_m2_eur double precision not null,
  high_per_m2_eur double precision not null,
  -- From first seen to gone, of those that went; null where fewer than five went.
  median_days double precision,
  gone_count integer not null,
  cut_percent integer not null check (cut_percent between 0 and 100),
  primary key (place_id, operation, size_band)
);

comment on table public.market_figures is 'What was asked for homes in a zone in the last 90 days, as far as Sereno saw; never of fewer than five.';

alter table public.market_figures enable row level security;
revoke all on public.market_figures from anon, authenticated;
grant select on public.market_figures to authenticated;

create policy "People read the figures of the market" on public.market_figures
  for select to authenticated using (true);

-- squawk-ignore adding-field-with-default
alter table watch.portal_listings
  -- Its zone, named as in public.market_figures.
  add column place_id text,
  add column signs jsonb not null default '[]',
  add column photos jsonb not null default '[]',
  -- Equal for the same description; null where there is none, or too little of it.
  add column text_key text,
  -- The price before the latest cut: of this advert, or of the one of the same home before it.
  add column former_price_eur double precision,
  -- Since when no feed has it any more, and when it last came back.
  add column gone_at timestamptz,
  add column back_at timestamptz;
-- squawk-ignore require-concurrent-index-creation
create index portal_listings_by_text on watch.portal_listings (text_key) where text_key is not null;
-- squawk-ignore require-concurrent-index-creation
create index feed_listings_gone on watch.feed_listings (gone_at) where gone_at is not null;

update watch.portal_listings as met set former_price_eur = cut.before
from (
  select distinct on (listing_id) listing_id, before
  from (
    select listing_id, seen_at, price_eur, lag(price_eur) over (partition by listing_id order by seen_at) as before
    from watch.prices
  ) as priced
  where before > price_eur
  order by listing_id, seen_at desc
) as cut
where cut.listing_id = met.listing_id;

update watch.portal_listings as met set gone_at = lost.at
from (
  select listing_id, max(gone_at) as at from watch.feed_listings group by listing_id having bool_and(gone_at is not null)
) as lost
where lost.listing_id = met.listing_id and met.last_seen_at <= lost.at;

-- What the mail said, as an alert shows it (AlertListing in src/core/alert/alert.ts), with its zone.
-- squawk-ignore constraint-missing-not-valid
alter table watch.mail_listings add column listing jsonb check (jsonb_typeof(listing) = 'object');

create table watch.travel_times (
  place_id uuid not null references public.own_places (id) on delete cascade,
  -- Of the home, rounded to four digits, which is eleven metres.
  latitude double precision not null,
  longitude double precision not null,
  foot_minutes integer check (foot_minutes >= 0),
  bicycle_minutes integer check (bicycle_minutes >= 0),
  asked_at timestamptz not null default now(),
  primary key (place_id, latitude, longitude)
);
create index travel_times_by_age on watch.travel_times (asked_at);

comment on table watch.travel_times is 'Minutes from homes to people''s own places, as a routing server said; null: it knows no way.';

-- A place that moved is elsewhere: what is known of the ways to it is no longer true.
create function private.forget_travel_times() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from watch.travel_times where place_id = new.id;
  return null;
end;
$$;

revoke execute on function private.forget_travel_times() from public;

create trigger travel_times_follow after update of latitude, longitude on public.own_places
  for each row when ((old.latitude, old.longitude) is distinct from (new.latitude, new.longitude))
  execute function private.forget_travel_times();

create or replace function private.my_marks() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'listing_id', listing_id, 'mark', mark, 'note', note, 'created_at', created_at, 'updated_at', updated_at
      ) order by created_at, listing_id
    ),
    '[]'
  )
  from public.marks where user_id = (select auth.uid());
$$;

create or replace function private.forget_setup(person uuid)
 returns void
 language sql
 security definer
 set search_path = ''
as $$
  delete from public.other_searches where user_id = person;
  delete from public.filter_settings where user_id = person;
  delete from public.chats where user_id = person;
  delete from public.listings where user_id = person;
  delete from public.own_places where user_id = person;
  delete from public.find_settings where user_id = person;
  delete from public.marks where user_id = person;
  delete from watch.link_tokens where user_id = person;
  delete from watch.chat_questions where user_id = person;
  delete from watch.alerts where user_id = person;
  update public.profiles set language = null where id = person;
$$;

create or replace function public.export_my_data()
 returns jsonb
 language sql
 stable
 set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'account', private.my_account() || (
      select jsonb_build_object('full_name', profiles.full_name, 'language', profiles.language)
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'filter', (
      select to_jsonb(filter_settings) - 'based_on' from public.filter_settings where user_id = (select auth.uid())
    ),
    'other_searches', (
      select coalesce(jsonb_agg(to_jsonb(other_searches) - 'based_on' order by created_at, id), '[]')
      from public.other_searches where user_id = (select auth.uid())
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
    'marks', private.my_marks(),
    'own_places', (
      select coalesce(jsonb_agg(to_jsonb(own_places) - 'user_id' order by created_at, id), '[]')
      from public.own_places where user_id = (select auth.uid())
    ),
    'find_settings', (
      select to_jsonb(find_settings) - 'user_id' from public.find_settings where user_id = (select auth.uid())
    ),
    'mail_address', (
      select to_jsonb(mail_addresses) - 'user_id' from public.mail_addresses where user_id = (select auth.uid())
    ),
    'received_mails', (
      select coalesce(jsonb_agg(to_jsonb(received_mails) - 'user_id' order by received_at, id), '[]')
      from public.received_mails where user_id = (select auth.uid())
    )
  );
$$;

create or replace function watch.move_chat(from_chat bigint, to_chat bigint)
 returns void
 language plpgsql
 set search_path = ''
as $$
begin
  if from_chat = to_chat then
    return;
  end if;

  -- Locks in the order in which saving a filter takes them.
  perform from public.filter_settings
  where receiver_ids && array[from_chat::text, to_chat::text] order by user_id for update;
  perform from public.other_searches
  where receiver_ids && array[from_chat::text, to_chat::text] order by user_id, created_at, id for update;
  perform from watch.chats where chat_id = from_chat and from_chat < to_chat for update;
  insert into watch.chats as known (chat_id, kind, standing)
  select to_chat, 'supergroup', 'ok' where exists (select from watch.chats where chat_id = from_chat)
  on conflict (chat_id) do update set kind = 'supergroup', standing = 'ok';
  perform from watch.chats where chat_id = from_chat for update;

  if found then
    update watch.chats as known set
      title = coalesce(known.title, former.title),
      language = coalesce(known.language, former.language),
      telegram_language = coalesce(known.telegram_language, former.telegram_language),
      asked_id_at = greatest(known.asked_id_at, former.asked_id_at),
      muted_until = greatest(known.muted_until, former.muted_until)
    from watch.chats as former
    where known.chat_id = to_chat and former.chat_id = from_chat;

    delete from watch.moved_chats where from_chat_id = to_chat;
    update watch.moved_chats set to_chat_id = to_chat where to_chat_id = from_chat;
    insert into watch.moved_chats as known (from_chat_id, to_chat_id) values (from_chat, to_chat)
    on conflict (from_chat_id) do update set to_chat_id = excluded.to_chat_id, moved_at = now();

    -- First the rows themselves, so that the change of the lists below finds them in place.
    update public.chats as kept set
      state = former.state, reason = former.reason, confirmed_at = former.confirmed_at, kind = former.kind,
      title = former.title
    from public.chats as former
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id
      and kept.state = 'waiting';
    delete from public.chats as former using public.chats as kept
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id;
    update public.chats set chat_id = to_chat where chat_id = from_chat;
    update public.chats set kind = 'supergroup'
    where chat_id = to_chat and confirmed_at is not null and kind is distinct from 'supergroup';

    insert into watch.search_chats (search_id, chat_id, muted_until)
    select search_id, to_chat, muted_until from watch.search_chats where chat_id = from_chat
    on conflict (search_id, chat_id) do nothing;
    delete from watch.search_chats where chat_id = from_chat;

    -- A filter that is being saved at this moment waits for us, and then follows by itself.
    update public.filter_settings set receiver_ids = private.followed_ids(receiver_ids)
    where id in (
      select id from public.filter_settings where from_chat::text = any (receiver_ids) order by user_id for update skip locked
    );
    update public.other_searches set receiver_ids = private.followed_ids(receiver_ids)
    where id in (
      select id from public.other_searches where from_chat::text = any (receiver_ids)
      order by user_id, created_at, id for update skip locked
    );

    delete from watch.chat_questions as former using watch.chat_questions as kept
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id;
    update watch.chat_questions set chat_id = to_chat where chat_id = from_chat;
    update watch.link_tokens set chat_id = to_chat where chat_id = from_chat;
    update public.marks set chat_id = to_chat where chat_id = from_chat;
    delete from watch.chat_paces where chat_id = from_chat;
    delete from watch.chats where chat_id = from_chat;
  end if;

  -- Also those that a check wrote while the group moved.
  delete from watch.alerts as former using watch.alerts as kept
  where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id
    and kept.listing_id is not distinct from former.listing_id
    and (
      kept.kind = former.kind and kept.event_key = former.event_key
      or kept.kind in ('new', 'readvertised') and former.kind in ('new', 'readvertised')
    );
  update watch.alerts set chat_id = to_chat where chat_id = from_chat;
end;
$$;
