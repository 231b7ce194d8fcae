-- A person has up to ten searches. The first is the row of filter_settings, one a person; the others live beside it in
-- other_searches, with the same columns and checks. Where a search is meant, whichever it is, watch.saved_searches has both.

alter table public.filter_settings
  -- Null: it is called by its place.
  add column name text,
  -- By the clock of Spain; what comes meanwhile waits for the end.
  add column quiet_from time without time zone,
  add column quiet_until time without time zone;
-- squawk-ignore constraint-missing-not-valid
alter table public.filter_settings add constraint name_is_a_line check (
  char_length(name) between 1 and 60 and name !~ '[[:cntrl:]]' and name = btrim(name)
);
-- squawk-ignore constraint-missing-not-valid
alter table public.filter_settings add constraint quiet_hours_have_two_ends check (
  (quiet_from is null) = (quiet_until is null) and (quiet_from is null or quiet_from <> quiet_until)
);
grant insert (name, quiet_from, quiet_until, is_paused), update (name, quiet_from, quiet_until)
  on public.filter_settings to authenticated;

create table public.other_searches (
  like public.filter_settings including defaults including constraints,
  primary key (id),
  foreign key (user_id) references auth.users (id) on delete cascade
);
create index other_searches_of_a_person on public.other_searches (user_id, created_at, id);

comment on table public.other_searches is 'The searches of a person beside the first, which is the row of filter_settings.';

alter table public.other_searches enable row level security;
revoke all on public.other_searches from anon, authenticated;
grant select, delete on public.other_searches to authenticated;
grant insert (user_id, filter_url, receiver_ids, based_on, name, quiet_from, quiet_until, is_paused),
  update (user_id, filter_url, receiver_ids, based_on, name, quiet_from, quiet_until, is_paused)
  on public.other_searches to authenticated;

create policy "People read their own searches" on public.other_searches
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People add searches of their own" on public.other_searches
  for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "People change their own searches" on public.other_searches
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy "People delete their own searches" on public.other_searches
  for delete to authenticated using ((select auth.uid()) = user_id);

alter publication supabase_realtime add table public.other_searches;

create view public.my_searches with (security_invoker = true) as
  select id, user_id, filter_url, receiver_ids, created_at, updated_at, is_paused, name, quiet_from, quiet_until,
    true as is_first
  from public.filter_settings
  union all
  select id, user_id, filter_url, receiver_ids, created_at, updated_at, is_paused, name, quiet_from, quiet_until,
    false as is_first
  from public.other_searches;

comment on view public.my_searches is 'All searches of a person, under that person''s own rights.';

revoke all on public.my_searches from anon, authenticated;
grant select on public.my_searches to authenticated;

-- A view that cannot be written at all is answered with a fault of the server; one that could be, with a refusal.
create function private.refuse_write() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise exception 'Searches are written where they live' using errcode = 'insufficient_privilege';
end;
$$;

revoke execute on function private.refuse_write() from public;

create trigger my_searches_are_only_read instead of insert or update or delete on public.my_searches
  for each row execute function private.refuse_write();

create view watch.saved_searches with (security_invoker = true) as
  select id, user_id, filter_url, receiver_ids, created_at, is_paused, name, quiet_from, quiet_until, true as is_first
  from public.filter_settings
  union all
  select id, user_id, filter_url, receiver_ids, created_at, is_paused, name, quiet_from, quiet_until, false as is_first
  from public.other_searches;

comment on view watch.saved_searches is 'All searches of everybody, for our own processes.';

-- What one search does in one chat, where that is not what every search does there.
create table watch.search_chats (
  search_id uuid not null,
  chat_id bigint not null,
  -- The topic of the group that hears of this search.
  topic_id bigint,
  muted_until timestamptz,
  primary key (search_id, chat_id)
);
create index search_chats_by_chat on watch.search_chats (chat_id);

comment on table watch.search_chats is 'The topic and the mute of one search in one chat.';

-- The searches an alert speaks for, as far as they are known; null where it speaks of none.
alter table watch.alerts add column search_ids uuid[];
-- The searches that found it; empty where that was not written down, which counts for the first.
alter table public.listings add column search_ids uuid[] not null default '{}';
-- The chat in which somebody asked to keep an eye on an advert; null: it is told where its searches tell.
alter table watch.marks add column chat_id bigint;
-- The search that gets the chat; null: the first.
alter table watch.link_tokens add column search_id uuid;

-- Each person's writes come one after the other, whichever of their searches they touch. The lock is taken before any row's,
-- so that two of them never wait for each other in a ring.
create function private.lock_searches_of_caller() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is not null then
    perform private.lock_filter_of(me);
  end if;
  return null;
end;
$$;

revoke execute on function private.lock_searches_of_caller() from public;

create trigger a_searches_are_locked before insert or update or delete on public.filter_settings
  for each statement execute function private.lock_searches_of_caller();
create trigger a_searches_are_locked before insert or update or delete on public.other_searches
  for each statement execute function private.lock_searches_of_caller();

-- Deleting an account takes its chats before its searches; with this lock before both it waits for no save that waits for it.
create function private.lock_searches_of_deleted() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_filter_of(old.id);
  return old;
end;
$$;

revoke execute on function private.lock_searches_of_deleted() from public;

create trigger a_searches_are_locked before delete on auth.users
  for each row execute function private.lock_searches_of_deleted();

create function private.limit_searches() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_filter_of(new.user_id);
  -- The row that an upsert is about to change is no further search; one that becomes the first is counted already.
  if (
    select count(*) from watch.saved_searches
    where user_id = new.user_id and id <> new.id and not (tg_table_name = 'filter_settings' and is_first)
  ) >= 10 then
    raise exception 'Ten searches are enough for one person' using errcode = 'PT409', detail = 'too-many-searches';
  end if;
  return new;
end;
$$;

revoke execute on function private.limit_searches() from public;

create trigger limit_of_searches before insert on public.filter_settings
  for each row execute function private.limit_searches();
create trigger limit_of_searches before insert on public.other_searches
  for each row execute function private.limit_searches();

-- Whoever has searches has a first one: the oldest other takes its row, under its own id, so that nothing begins anew.
create function private.fill_first_search() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  person constant uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  oldest public.other_searches;
begin
  if exists (select from public.filter_settings where user_id = person)
    or not exists (select from auth.users where id = person) then
    return null;
  end if;
  select * into oldest from public.other_searches where user_id = person order by created_at, id limit 1 for update;
  if oldest.id is null then
    return null;
  end if;
  insert into public.filter_settings
    (id, user_id, filter_url, receiver_ids, created_at, updated_at, is_paused, name, quiet_from, quiet_until)
  values (
    oldest.id, oldest.user_id, oldest.filter_url, oldest.receiver_ids, oldest.created_at, oldest.updated_at,
    oldest.is_paused, oldest.name, oldest.quiet_from, oldest.quiet_until
  );
  delete from public.other_searches where id = oldest.id;
  return null;
end;
$$;

revoke execute on function private.fill_first_search() from public;

-- What else follows a deletion comes before, as triggers go by their names.
create trigger first_search_is_filled after delete on public.filter_settings
  for each row execute function private.fill_first_search();
create trigger first_search_is_filled after insert on public.other_searches
  for each row execute function private.fill_first_search();

-- A foreign key knows one table; the searches of the watcher follow both.
alter table watch.searches drop constraint searches_filter_id_fkey;

create function private.forget_search() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from watch.saved_searches where id = old.id) then
    delete from watch.searches where filter_id = old.id;
    delete from watch.search_chats where search_id = old.id;
  end if;
  return null;
end;
$$;

revoke execute on function private.forget_search() from public;

create trigger forget_search after delete on public.filter_settings
  for each row execute function private.forget_search();
create trigger forget_search after delete on public.other_searches
  for each row execute function private.forget_search();

-- As for the first search.
create trigger other_searches_are_announced
  after insert or delete or update of filter_url, receiver_ids, is_paused on public.other_searches
  for each row execute function private.announce_filter();
create trigger other_searches_chats_follow after insert or delete or update of receiver_ids on public.other_searches
  for each row execute function private.follow_receiver_ids();
create trigger other_searches_merge_saves before insert or update on public.other_searches
  for each row execute function private.merge_filter_save();
create trigger other_searches_touch_updated_at before update on public.other_searches
  for each row execute function private.touch_updated_at();

create or replace function private.announce_reachable() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('filters', id::text) from watch.saved_searches
  where user_id = case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  return null;
end;
$$;

-- Consent belongs to a person and a chat, until no search of the person names the chat.
create or replace function private.follow_receiver_ids() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  owner constant uuid := coalesce(new.user_id, old.user_id);
  named bigint[];
  added bigint[];
  followed text[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select id::bigint from unnest(new.receiver_ids) as id
      where not exists (select from public.chats where chats.user_id = owner and chats.chat_id = id::bigint)
        and not exists (select from watch.moved_chats where from_chat_id = id::bigint)
    );
    -- Made or locked, so that of two accounts that type an id at once one comes second.
    insert into watch.chats as known (chat_id)
    select id from unnest(added) as id order by id
    on conflict (chat_id) do update set standing = known.standing;

    -- Asked only now: the group may have moved while its lock was waited for.
    followed := private.followed_ids(new.receiver_ids);
    if followed is distinct from new.receiver_ids then
      if tg_table_name = 'filter_settings' then
        update public.filter_settings set receiver_ids = followed where id = new.id;
      else
        update public.other_searches set receiver_ids = followed where id = new.id;
      end if;
      return null;
    end if;
  end if;

  named := array(
    select distinct held.chat::bigint from watch.saved_searches cross join unnest(receiver_ids) as held (chat)
    where user_id = owner
  );
  if cardinality(named) > 10 then
    raise exception 'Ten chats are enough for one person' using errcode = 'PT409', detail = 'too-many-chats';
  end if;
  delete from public.chats where user_id = owner and not (chat_id = any (named));
  delete from watch.search_chats
  where search_id = old.id and tg_op = 'UPDATE' and not (chat_id::text = any (new.receiver_ids));
  if tg_op <> 'DELETE' then
    perform private.add_chats(owner, added);
    perform private.ask_waiting_chats(owner);
  end if;
  return null;
end;
$$;

create or replace function private.merge_filter_save() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  base constant jsonb := new.based_on;
  base_url text;
  base_ids text[];
  theirs_id uuid;
  theirs_url text;
  theirs_ids text[];
begin
  if tg_op = 'UPDATE' then
    theirs_id := old.id;
    theirs_url := old.filter_url;
    theirs_ids := old.receiver_ids;
  elsif tg_table_name = 'filter_settings' then
    -- Of two first saves, the second must find the row of the first. What this does to the new row lasts into "on conflict
    -- do update", and so does the lock on the old one.
    perform private.lock_filter_of(new.user_id);
    select id, filter_url, receiver_ids into theirs_id, theirs_url, theirs_ids
    from public.filter_settings where user_id = new.user_id for update;
  end if;

  new.based_on := null;
  if base is null or (tg_op = 'INSERT' and tg_table_name <> 'filter_settings') then
    return new;
  end if;
  if jsonb_typeof(base) <> 'object' or jsonb_typeof(coalesce(base -> 'filter_url', '""')) <> 'string'
    or jsonb_typeof(coalesce(base -> 'receiver_ids', '[]')) <> 'array' then
    raise exception 'What a save is based on are a filter_url and receiver_ids'
      using errcode = 'PT400', detail = 'based_on_is_malformed';
  end if;
  base_url := base ->> 'filter_url';
  base_ids := array(select jsonb_array_elements_text(coalesce(base -> 'receiver_ids', '[]')));

  if theirs_id is null then
    if base_url is not null then
      raise exception 'The filter was deleted meanwhile' using errcode = 'PT409', detail = 'deleted-elsewhere';
    end if;
    -- Before the first save, a chat that connected itself stands here alone.
    theirs_ids := array(
      select chat_id::text from public.chats where user_id = new.user_id and state = 'connected' order by created_at
    );
  elsif theirs_url is distinct from base_url and theirs_url is distinct from new.filter_url then
    if new.filter_url is distinct from base_url then
      raise exception 'The filter was changed meanwhile' using errcode = 'PT409', detail = 'changed-elsewhere';
    end if;
    new.filter_url := theirs_url;
  end if;

  -- A list that is none is for the constraints to refuse.
  if array_ndims(new.receiver_ids) is distinct from 1 or array_position(new.receiver_ids, null) is not null then
    return new;
  end if;
  new.receiver_ids := array(
    select id from (
      select id, 1 as part, place from unnest(new.receiver_ids) with ordinality as mine (id, place)
      where id = any (theirs_ids) or not (id = any (base_ids))
      union all
      select id, 2, place from unnest(theirs_ids) with ordinality as added (id, place)
      where not (id = any (base_ids)) and not (id = any (new.receiver_ids))
    ) as merged
    order by part, place
  );
  if cardinality(new.receiver_ids) = 0 then
    raise exception 'Each took out the chats the other kept' using errcode = 'PT409', detail = 'no-chat-left';
  end if;
  if cardinality(new.receiver_ids) > 10 then
    raise exception 'Together these are more than ten chats' using errcode = 'PT409', detail = 'too-many-chats';
  end if;
  return new;
end;
$$;

create or replace function private.wait_for_first_save() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.filter_settings where user_id = new.user_id) then
    perform private.lock_filter_of(new.user_id);
  end if;
  return new;
end;
$$;

-- The order in which saving a search takes them.
create or replace function private.lock_person_and_chat(person uuid, chat bigint) returns void
  language plpgsql set search_path = ''
as $$
begin
  perform private.lock_filter_of(person);
  perform from public.filter_settings where user_id = person for update;
  perform from public.other_searches where user_id = person order by created_at, id for update;
  perform from watch.chats where chat_id = chat for update;
end;
$$;

create or replace function private.limit_of_chats(person uuid, chat bigint) returns text
  language sql stable set search_path = ''
as $$
  select case
    when (
      select count(*) from public.chats where chat_id = chat and user_id <> person and state = 'connected'
    ) >= 5 then 'chat-full'
    when (
      select count(*) from (
        select chat_id from public.chats where user_id = person
        union
        select unnest(receiver_ids)::bigint from watch.saved_searches where user_id = person
      ) as held (id) where id <> chat
    ) >= 10 then 'person-full'
  end;
$$;

-- A chat that no search names yet gets the search it was connected for, else the first.
drop function private.connect_chat(uuid, bigint, text, text, boolean);
create function private.connect_chat(
  person uuid, chat bigint, chat_kind text, chat_title text, is_confirmed boolean, for_search uuid
) returns void
  language plpgsql set search_path = ''
as $$
declare
  meant constant uuid := (
    select id from watch.saved_searches
    where user_id = person and (id = for_search or is_first) order by is_first limit 1
  );
begin
  -- The row comes first: a change of the list asks about every chat that has none.
  insert into public.chats as known (user_id, chat_id, state, confirmed_at)
  values (person, chat, 'connected', case when is_confirmed then now() end)
  on conflict (user_id, chat_id) do update set
    state = 'connected', reason = null, confirmed_at = coalesce(known.confirmed_at, excluded.confirmed_at);
  update public.chats set kind = chat_kind, title = chat_title
  where user_id = person and chat_id = chat and confirmed_at is not null;
  if for_search is not null or not exists (
    select from watch.saved_searches where user_id = person and chat::text = any (receiver_ids)
  ) then
    update public.filter_settings set receiver_ids = array_append(receiver_ids, chat::text)
    where id = meant and not (chat::text = any (receiver_ids));
    update public.other_searches set receiver_ids = array_append(receiver_ids, chat::text)
    where id = meant and not (chat::text = any (receiver_ids));
  end if;
  perform private.note_answer(person, chat, case when is_confirmed then 'yes' end);
end;
$$;

revoke execute on function private.connect_chat(uuid, bigint, text, text, boolean, uuid) from public;

-- One of the chats that a search names can be reached.
create function watch.can_tell(person uuid, receiver_ids text[]) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (
    select from public.chats
    where chats.user_id = person and chats.state = 'connected' and chats.chat_id::text = any (receiver_ids)
  );
$$;

revoke execute on function watch.can_tell(uuid, text[]) from public;

create or replace view watch.live_searches with (security_invoker = true) as
  select searches.filter_id, searches.user_id, searches.filter_url, searches.search_key, searches.feed_key,
    searches.begun_at, searches.served_until, filters.receiver_ids
  from watch.searches
  join watch.saved_searches as filters
    on filters.id = searches.filter_id and filters.filter_url = searches.filter_url and not filters.is_paused
  join auth.users as people
    on people.id = searches.user_id and (people.banned_until is null or people.banned_until <= now())
  where searches.is_watched and searches.feed_key is not null;

create or replace function watch.answer_question(person uuid, chat bigint, said text, chat_kind text, chat_title text, out outcome text, out email text)
 returns record
 language plpgsql
 set search_path = ''
as $$
declare
  asked record;
begin
  perform private.lock_person_and_chat(person, chat);
  select chats.state, chats.confirmed_at into asked
  from public.chats left join watch.chat_questions as question using (user_id, chat_id)
  where user_id = person and chat_id = chat and (question.user_id is not null or chats.state <> 'waiting')
  for update of chats;
  -- A no of long ago does not undo what was agreed since; "not me" and /stop do.
  if not found or (said = 'no' and asked.state not in ('waiting', 'declined') and asked.confirmed_at is not null) then
    outcome := 'not-asked';
    return;
  end if;
  email := private.masked_email(person);
  if said in ('yes', 'me') then
    outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
    if outcome = 'connected' then
      perform private.connect_chat(person, chat, chat_kind, chat_title, true, null);
    end if;
    return;
  end if;
  outcome := 'declined';
  if said = 'no' and asked.state = 'declined' then
    return;
  end if;
  -- The id stays in the person's list, where the page shows why; the name they may have known goes.
  perform private.note_answer(person, chat, 'no');
  update public.chats set state = 'declined', reason = 'said-no', confirmed_at = null, kind = null, title = null
  where user_id = person and chat_id = chat;
  update watch.alerts set state = 'undeliverable', last_error = 'declined'
  where user_id = person and chat_id = chat and state = 'pending';
end;
$$;

create or replace function watch.connect_by_link(hash bytea, chat bigint, chat_kind text, chat_title text, out outcome text, out person uuid, out email text, out is_confirmed boolean, out has_filter boolean)
 returns record
 language plpgsql
 set search_path = ''
as $$
declare
  link watch.link_tokens;
  was_connected boolean;
begin
  select * into link from watch.link_tokens where token_hash = hash for update;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  person := link.user_id;
  if link.used_at is null and link.expires_at <= now() then
    outcome := 'expired';
    return;
  end if;
  if link.used_at is null then
    perform private.lock_person_and_chat(person, chat);
  end if;
  was_connected := exists (
    select from public.chats where user_id = person and chat_id = chat and state = 'connected'
  );
  if link.used_at is not null then
    -- Told again to the chat it connected, and to no other.
    outcome := case when was_connected and link.chat_id = chat then 'already-connected' else 'used' end;
  else
    outcome := coalesce(
      private.limit_of_chats(person, chat), case when was_connected then 'already-connected' else 'connected' end
    );
    if outcome in ('connected', 'already-connected') then
      update watch.link_tokens set used_at = now(), chat_id = chat where token_hash = hash;
      -- Who brings the bot into a group of theirs has said yes by that; a private chat has only followed a link.
      perform private.connect_chat(person, chat, chat_kind, chat_title, chat_kind <> 'private', link.search_id);
    end if;
  end if;
  email := private.masked_email(person);
  has_filter := exists (select from public.filter_settings where user_id = person);
  is_confirmed := exists (
    select from public.chats where user_id = person and chat_id = chat and confirmed_at is not null
  );
end;
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
    update watch.marks set chat_id = to_chat where chat_id = from_chat;
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

-- How one search fares, as the page and the bot tell it.
create function watch.state_of_search(search uuid)
 returns jsonb
 language sql
 stable
 set search_path = ''
as $$
  select jsonb_build_object(
    'id', filters.id,
    'is_paused', filters.is_paused,
    'can_tell', watch.can_tell(filters.user_id, filters.receiver_ids),
    'problem', searches.problem,
    'begun_at', searches.begun_at,
    'interval_seconds', live.interval_seconds,
    'is_served_by_mail', watch.is_served_by_mail(filters.user_id),
    'spent_until', spent.until,
    'last_ok_at', feeds.last_ok_at,
    'next_check_at', live.next_check_at,
    -- Spent requests are no failure any more once the month has turned.
    'failing_since', case when spent.is_over then null else live.failing_since end,
    'failure_reason', case when spent.is_over then null else live.failure_reason end,
    'failed_rounds', coalesce(live.failed_rounds, 0),
    'found_last_day', (
      select count(*) from public.listings
      where listings.user_id = filters.user_id and listings.created_at > now() - interval '1 day'
        and (search = any (listings.search_ids) or filters.is_first and listings.search_ids = '{}')
    ),
    'last_find', (
      select jsonb_build_object(
        'listing_id', listings.listing_id, 'title', listings.details ->> 'title', 'price_eur', listings.details -> 'price',
        'at', listings.created_at
      )
      from public.listings
      where listings.user_id = filters.user_id
        and (search = any (listings.search_ids) or filters.is_first and listings.search_ids = '{}')
      order by listings.created_at desc limit 1
    ),
    'alerts_sent', (
      select count(*) from watch.alerts
      where alerts.user_id = filters.user_id and alerts.state = 'sent'
        and (search = any (alerts.search_ids) or filters.is_first and alerts.search_ids is null)
    ),
    'alerts_waiting', (
      select count(*) from watch.alerts
      where alerts.user_id = filters.user_id and alerts.state in ('pending', 'sending')
        and (search = any (alerts.search_ids) or filters.is_first and alerts.search_ids is null)
    ),
    'last_told', (
      select jsonb_build_object('source', alerts.source, 'at', alerts.sent_at)
      from watch.alerts
      where alerts.user_id = filters.user_id and alerts.source is not null and alerts.sent_at is not null
        and (search = any (alerts.search_ids) or filters.is_first and alerts.search_ids is null)
      order by alerts.created_at desc, alerts.position desc limit 1
    ),
    'freshness', watch.freshness_of(filters.user_id),
    'latest_alerts', (
      select coalesce(jsonb_agg(to_jsonb(latest) order by latest.created_at desc, latest.id), '[]')
      from (
        select alerts.id, alerts.kind, alerts.chat_id, alerts.state, alerts.created_at, alerts.sent_at, alerts.listing_id,
          alerts.payload -> 'listing' ->> 'title' as title,
          alerts.payload -> 'listing' -> 'priceEur' as price_eur,
          alerts.payload -> 'listing' ->> 'url' as url
        from watch.alerts
        where alerts.user_id = filters.user_id and alerts.kind in ('new', 'price-drop', 'back', 'readvertised', 'gone')
          and (search = any (alerts.search_ids) or filters.is_first and alerts.search_ids is null)
        order by alerts.created_at desc, alerts.position desc limit 5
      ) as latest
    )
  )
  from watch.saved_searches as filters
  left join watch.searches on searches.filter_id = filters.id and searches.filter_url = filters.filter_url
  left join watch.feeds on feeds.key = searches.feed_key
  left join watch.feeds as live on live.key = feeds.key and live.idle_since is null
  left join lateral (
    select coalesce(live.spent_until <= now(), false) as is_over,
      case when live.spent_until is null or live.spent_until > now() then coalesce(live.spent_until, watch.next_month()) end
        as until
    where live.failing_since is not null and live.failure_reason = 'quota-spent'
  ) as spent on true
  where filters.id = search;
$$;

revoke execute on function watch.state_of_search(uuid) from public;

create or replace function watch.state_of(person uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select watch.state_of_search(id) from public.filter_settings where user_id = person;
$$;

create function public.my_watches() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(watch.state_of_search(id) order by is_first desc, created_at, id), '[]')
  from watch.saved_searches where user_id = (select auth.uid());
$$;

comment on function public.my_watches() is 'How each of the caller''s searches fares, the first one first.';

revoke execute on function public.my_watches() from public, anon;
grant execute on function public.my_watches() to authenticated;

drop function public.create_telegram_link();
create function public.create_telegram_link(search_id uuid default null) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  token constant text := private.random_token();
  expiry constant timestamptz := now() + interval '15 minutes';
begin
  if me is null then
    raise exception 'Only a signed-in person can connect a chat' using errcode = 'insufficient_privilege';
  end if;
  -- One at a time for one person, or a burst would count itself too low.
  perform pg_advisory_xact_lock(hashtextextended('telegram-link ' || me, 0));
  if (select count(*) from watch.link_tokens where user_id = me and created_at > now() - interval '1 hour') >= 30 then
    raise exception 'Too many links in an hour' using errcode = 'PT429', detail = 'too-many-links';
  end if;
  delete from watch.link_tokens where user_id = me and created_at < now() - interval '1 day';
  if search_id is not null and not exists (
    select from watch.saved_searches where user_id = me and id = create_telegram_link.search_id
  ) then
    raise exception 'That search is not yours, or no more' using errcode = 'PT404', detail = 'no-such-search';
  end if;
  insert into watch.link_tokens (token_hash, user_id, expires_at, search_id)
  values (sha256(convert_to(token, 'UTF8')), me, expiry, create_telegram_link.search_id);
  return jsonb_build_object('token', token, 'expires_at', expiry);
end;
$$;

comment on function public.create_telegram_link(uuid) is
  'A token by which a chat is connected to the caller within fifteen minutes, for the search named or else the first.';

revoke execute on function public.create_telegram_link(uuid) from public, anon;
grant execute on function public.create_telegram_link(uuid) to authenticated;

-- A search made in the chat: the first where there is none, else one more, with the chats and quiet hours of the first. The
-- chat that asked hears of it in any case. Answers what became of it, and its id or that of the same one.
create function watch.add_search(
  person uuid, chat bigint, url text, out outcome text, out search_id uuid
) returns record
  language plpgsql set search_path = ''
as $$
declare
  first_one public.filter_settings;
  chats text[];
begin
  perform private.lock_person_and_chat(person, chat);
  if not exists (select from public.chats where user_id = person and chat_id = chat and state = 'connected') then
    outcome := 'not-connected';
    return;
  end if;
  select id into search_id from watch.saved_searches
  where user_id = person and filter_url = url order by is_first desc, created_at limit 1;
  if found then
    outcome := 'same';
    return;
  end if;
  if (select count(*) from watch.saved_searches where user_id = person) >= 10 then
    outcome := 'too-many-searches';
    return;
  end if;
  select * into first_one from public.filter_settings where user_id = person;
  -- Before the first search, chats that connected themselves stand alone.
  chats := coalesce(first_one.receiver_ids, array(
    select chat_id::text from public.chats where user_id = person and state = 'connected' order by created_at
  ));
  if not (chat::text = any (chats)) then
    chats := chats || chat::text;
  end if;
  outcome := 'added';
  if first_one.id is null then
    insert into public.filter_settings (user_id, filter_url, receiver_ids) values (person, url, chats)
    returning id into search_id;
  else
    insert into public.other_searches (user_id, filter_url, receiver_ids, quiet_from, quiet_until)
    values (person, url, chats, first_one.quiet_from, first_one.quiet_until) returning id into search_id;
  end if;
end;
$$;

revoke execute on function watch.add_search(uuid, bigint, text) from public;
