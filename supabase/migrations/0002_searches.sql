-- A person's searches, up to ten, and the chats each of them notifies. The first search is also the row of the view
-- filter_settings, which the specification defines.
create table public.searches (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The person's id in their first search; null in the others.
  first_of uuid constraint filter_settings_user_id_key unique
    constraint first_search_is_of_its_person check (first_of = user_id),
  is_first boolean not null generated always as (first_of is not null) stored,
  filter_url text not null,
  receiver_ids text[] not null,
  -- Null: the search is named after its place.
  name text,
  is_paused boolean not null default false,
  -- In Europe/Madrid. Alerts between the two are sent as one summary at the end.
  quiet_from time,
  quiet_until time,
  -- What to do with certain homes; src/core/rules/rule.ts defines the rules.
  rules jsonb not null default '[]',
  -- Alerts wait for a summary every two hours.
  is_folded boolean not null default false,
  based_on jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  -- src/core/search/url decides which URLs are searches; the watcher reports a row whose URL is not.
  constraint filter_url_is_of_the_portal check (
    char_length(filter_url) <= 2048 and filter_url ~ '^https://www\.idealista\.com/[A-Za-z0-9._~:/?#@!$&()*+,;=%-]+$'
  ),
  constraint filter_url_leads_to_a_search check (filter_url !~ '^https://www\.idealista\.com/([a-z]{2}/)?inmueble/'),
  -- One to ten ids. Joining and splitting again reveals an id with a comma, a null, or a nested array.
  constraint receiver_ids_are_chat_ids check (
    cardinality(receiver_ids) between 1 and 10
    and array_ndims(receiver_ids) = 1
    and array_to_string(receiver_ids, ',') ~ '^-?[1-9][0-9]{0,12}(,-?[1-9][0-9]{0,12})*$'
    and cardinality(string_to_array(array_to_string(receiver_ids, ','), ',')) = cardinality(receiver_ids)
  ),
  constraint receiver_ids_are_named_once check (
    array_to_string(receiver_ids, ',') !~ '(^|,)(-?[0-9]+),(.*,)?\2(,|$)'
  ),
  -- No invisible characters, line breaks or direction changes.
  constraint name_is_a_line check (
    char_length(name) between 1 and 60 and name = btrim(name)
      and name !~ '[[:cntrl:]\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]'
  ),
  constraint quiet_hours_have_two_ends check (
    (quiet_from is null) = (quiet_until is null) and (quiet_from is null or quiet_from <> quiet_until)
  ),
  -- As parseRules in src/core/rules/rule.ts.
  constraint rules_are_valid check (
    jsonb_typeof(rules) = 'array' and jsonb_array_length(rules) <= 30 and pg_column_size(rules) <= 16384
    and jsonb_array_length(rules) = jsonb_array_length(jsonb_path_query_array(rules, 'strict $[*] ? (
      (@.act == "alert" || @.act == "silent" || @.act == "leave-out") && (
        @.on == "warning" && (
          @.kind == "far-below-zone" || @.kind == "no-photo" || @.kind == "seasonal" || @.kind == "shared-flat" || @.kind == "auction"
          || @.kind == "bare-ownership" || @.kind == "occupied" || @.kind == "pay-before-viewing" || @.kind == "same-text"
        )
        || @.on == "advertiser" && (@.is == "private" || @.is == "agency")
        || @.on == "words" && (@.are == "present" || @.are == "absent") && @.words.size() >= 1 && @.words.size() <= 20
          && !(exists(@.words[*] ? (@.type() != "string"))) && !(exists(@.words[*] ? (!(@ like_regex "^.{1,40}$" flag "s"))))
        || @.on == "zone-price" && (@.is == "above" || @.is == "below") && @.percent >= 1 && @.percent <= 90
          && @.percent == @.percent.floor()
        || @.on == "minutes" && (@.by == "foot" || @.by == "bicycle") && @.over >= 1 && @.over <= 240
          && @.over == @.over.floor() && @.placeId like_regex "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$"
      )
    )'))
  )
);
create index searches_of_a_person on public.searches (user_id, created_at, id);
comment on table public.searches is 'The searches a person saved and the Telegram chats that each of them notifies.';
comment on column public.searches.based_on is
  'Write-only: {id, filter_url, receiver_ids} as the saver last saw them; without a search, the connected chats. Null when read.';

alter table public.searches enable row level security;
revoke all on public.searches from anon, authenticated;
grant select, delete on public.searches to authenticated;
grant insert (
    user_id, first_of, filter_url, receiver_ids, based_on, name, quiet_from, quiet_until, is_paused, rules, is_folded
  ),
  update (
    user_id, first_of, filter_url, receiver_ids, based_on, name, quiet_from, quiet_until, is_paused, rules, is_folded
  )
  on public.searches to authenticated;

create policy "People read their own searches" on public.searches
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People add searches of their own" on public.searches
  for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "People change their own searches" on public.searches
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy "People delete their own searches" on public.searches
  for delete to authenticated using ((select auth.uid()) = user_id);

alter publication supabase_realtime add table public.searches;

-- PostgreSQL carries `on conflict (user_id)` through this view to the unique column first_of.
create view public.filter_settings with (security_invoker = true) as
  select id, first_of as user_id, filter_url, receiver_ids, created_at, updated_at, is_paused, based_on, name,
    quiet_from, quiet_until, rules, is_folded
  from public.searches where first_of is not null
  with check option;
comment on view public.filter_settings is 'The first search of each person.';

revoke all on public.filter_settings from anon, authenticated;
grant select, delete on public.filter_settings to authenticated;
grant insert (user_id, filter_url, receiver_ids, based_on, name, quiet_from, quiet_until, is_paused),
  update (user_id, filter_url, receiver_ids, based_on, name, quiet_from, quiet_until, is_paused)
  on public.filter_settings to authenticated;

-- Serialises the writes of a person. The lock is taken before any row lock, which avoids deadlock.
create function private.lock_person(person uuid) returns void
  language sql set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('filter ' || person, 0));
$$;

create function private.lock_caller() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is not null then
    perform private.lock_person(me);
  end if;
  return null;
end;
$$;

create trigger lock_person_first before insert or update or delete on public.searches
  for each statement execute function private.lock_caller();

-- Deleting an account locks its chats before its searches; with this lock before both it cannot deadlock with a save.
create function private.lock_deleted_person() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_person(old.id);
  return old;
end;
$$;

create trigger lock_person_first before delete on auth.users
  for each row execute function private.lock_deleted_person();

-- Row triggers run in the order of their names and before row-level security checks the row. Triggers that read rows of
-- user_id must therefore skip a row of another person, which row-level security then refuses.

-- A row written through filter_settings has its person only in first_of.
create function private.set_search_owner() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.user_id := new.first_of;
  return new;
end;
$$;

create trigger searches_1_set_owner before insert on public.searches
  for each row when (new.first_of is not null) execute function private.set_search_owner();

-- An upsert through filter_settings sets first_of to the value it has, so the column cannot be protected by privileges.
create function private.refuse_change_of_first_search() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise exception 'A first search remains the first until it is deleted' using errcode = '42501';
end;
$$;

create trigger searches_1_keep_first before update on public.searches
  for each row when (
    old.first_of is not null and new.first_of is distinct from old.first_of and new.user_id = old.user_id
  )
  execute function private.refuse_change_of_first_search();

-- Concurrent saves from two devices are merged. A save may state what it was based on; what has changed in the row
-- since then is kept. If both changed the URL, the save is refused and the page asks the person. A save without a base
-- overwrites. This runs with the caller's rights, so it cannot see other people's rows.
create function private.merge_filter_save() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  base constant jsonb := new.based_on;
  base_url text;
  base_ids text[];
  saved public.searches;
begin
  if tg_op = 'UPDATE' then
    saved := old;
  elsif new.first_of is not null then
    -- The second of two concurrent first saves must find the row of the first. The lock is held until "on conflict do
    -- update".
    perform private.lock_person(new.user_id);
    select * into saved from public.searches where first_of = new.first_of for update;
  end if;

  new.based_on := null;
  if base is null or (tg_op = 'INSERT' and new.first_of is null) then
    return new;
  end if;
  if jsonb_typeof(base) <> 'object' or jsonb_typeof(coalesce(base -> 'filter_url', '""')) <> 'string'
    or jsonb_typeof(coalesce(base -> 'receiver_ids', '[]')) <> 'array' then
    raise exception 'based_on is an object of id, filter_url and receiver_ids'
      using errcode = 'PT400', detail = 'based_on_is_malformed';
  end if;
  base_url := base ->> 'filter_url';
  base_ids := array(select jsonb_array_elements_text(coalesce(base -> 'receiver_ids', '[]')));

  -- If the first search was deleted, another one is the first now.
  if saved.id is null or saved.id::text <> base ->> 'id' then
    if base_url is not null then
      raise exception 'The filter was deleted meanwhile' using errcode = 'PT409', detail = 'deleted-elsewhere';
    end if;
    -- Before the first save, a chat that connected itself is not in any list.
    saved.receiver_ids := array(
      select chat_id::text from public.chats where user_id = new.user_id and state = 'connected' order by created_at
    );
  elsif saved.filter_url is distinct from base_url and saved.filter_url is distinct from new.filter_url then
    if new.filter_url is distinct from base_url then
      raise exception 'The filter was changed meanwhile' using errcode = 'PT409', detail = 'changed-elsewhere';
    end if;
    new.filter_url := saved.filter_url;
  end if;

  -- An invalid list is refused by the constraints.
  if array_ndims(new.receiver_ids) is distinct from 1 or array_position(new.receiver_ids, null) is not null then
    return new;
  end if;
  new.receiver_ids := array(
    select id from (
      select id, 1 as part, place from unnest(new.receiver_ids) with ordinality as mine (id, place)
      where id = any (saved.receiver_ids) or not (id = any (base_ids))
      union all
      select id, 2, place from unnest(saved.receiver_ids) with ordinality as added (id, place)
      where not (id = any (base_ids)) and not (id = any (new.receiver_ids))
    ) as merged
    order by part, place
  );
  if cardinality(new.receiver_ids) = 0 then
    raise exception 'Each save removed the chats the other kept' using errcode = 'PT409', detail = 'no-chat-left';
  end if;
  if cardinality(new.receiver_ids) > 10 then
    raise exception 'Together these are more than ten chats' using errcode = 'PT409', detail = 'too-many-chats';
  end if;
  return new;
end;
$$;
comment on function private.merge_filter_save() is
  'Merges a save with changes made since its base: the URL as a whole, the chats one by one.';

create trigger searches_2_merge_saves before insert or update on public.searches
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.merge_filter_save();

-- A person with searches always has a first one: a new search becomes the first if there is none.
create function private.place_search() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_person(new.user_id);
  if new.first_of is null and not exists (select from public.searches where first_of = new.user_id) then
    new.first_of := new.user_id;
  end if;
  -- An upsert of the first search changes a row instead of adding one.
  if (
    select count(*) from public.searches
    where user_id = new.user_id and id <> new.id and (first_of is null or new.first_of is null)
  ) >= 10 then
    raise exception 'Ten searches are enough for one person' using errcode = 'PT409', detail = 'too-many-searches';
  end if;
  return new;
end;
$$;

create trigger searches_3_place before insert on public.searches
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.place_search();

-- Becoming the first search is not a change by the person.
create trigger searches_4_touch_updated_at before update on public.searches
  for each row when (new.first_of is not distinct from old.first_of)
  execute function private.touch_updated_at();

-- When the first search is deleted, the oldest one becomes the first.
create function private.promote_next_search() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.searches set first_of = user_id
  where id = (select id from public.searches where user_id = old.user_id order by created_at, id limit 1)
    and not exists (select from public.searches where first_of = old.user_id);
  return null;
end;
$$;

create trigger promote_next_search after delete on public.searches
  for each row when (old.first_of is not null) execute function private.promote_next_search();

create function private.announce_search() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  perform pg_notify('filters', coalesce(new.id, old.id)::text);
  return null;
end;
$$;

create trigger searches_are_announced
  after insert or delete or update of filter_url, receiver_ids, is_paused on public.searches
  for each row execute function private.announce_search();

revoke execute on all functions in schema private from public;
-- Called by the trigger of a save, which runs with the saver's rights.
grant execute on function private.lock_person(uuid) to authenticated;
