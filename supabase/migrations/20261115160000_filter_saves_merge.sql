-- Two devices that save do not take from one another. A save may say what it was based on; what changed in the row
-- meanwhile is then merged with it, and where both changed the search, nothing is saved and the person is asked.
-- A save that does not say so overwrites, as ever.
alter table public.filter_settings add column based_on jsonb;

comment on column public.filter_settings.based_on is
  'Only ever written: {filter_url, receiver_ids} as the saver last saw them; without a filter, the connected chats. Null when read.';

grant insert (based_on), update (based_on) on public.filter_settings to authenticated;

-- What has no row to be locked by: a person's filter before its first save.
create function private.lock_filter_of(person uuid) returns void
  language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('filter ' || person, 0));
$$;

revoke execute on function private.lock_filter_of(uuid) from public;
grant execute on function private.lock_filter_of(uuid) to authenticated;

-- With the caller's rights: of a row that is not theirs it sees nothing.
create function private.merge_filter_save() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  base constant jsonb := new.based_on;
  base_url text;
  base_ids text[];
  theirs public.filter_settings;
begin
  if tg_op = 'INSERT' then
    -- What this does to the new row lasts into "on conflict do update", and so does the lock on the old one.
    select * into theirs from public.filter_settings where user_id = new.user_id for update;
    if theirs.id is null then
      -- Of two first saves, the second must find the row of the first.
      perform private.lock_filter_of(new.user_id);
      select * into theirs from public.filter_settings where user_id = new.user_id for update;
    end if;
  else
    theirs := old;
  end if;

  new.based_on := null;
  if base is null then
    return new;
  end if;
  if jsonb_typeof(base) <> 'object' or jsonb_typeof(coalesce(base -> 'filter_url', '""')) <> 'string'
    or jsonb_typeof(coalesce(base -> 'receiver_ids', '[]')) <> 'array' then
    raise exception 'What a save is based on are a filter_url and receiver_ids'
      using errcode = 'PT400', detail = 'based_on_is_malformed';
  end if;
  base_url := base ->> 'filter_url';
  base_ids := array(select jsonb_array_elements_text(coalesce(base -> 'receiver_ids', '[]')));

  if theirs.id is null then
    if base_url is not null then
      raise exception 'The filter was deleted meanwhile' using errcode = 'PT409', detail = 'deleted-elsewhere';
    end if;
    -- Before the first save, a chat that connected itself stands here alone.
    theirs.receiver_ids := array(
      select chat_id::text from public.chats where user_id = new.user_id and state = 'connected' order by created_at
    );
  elsif theirs.filter_url is distinct from base_url and theirs.filter_url is distinct from new.filter_url then
    if new.filter_url is distinct from base_url then
      raise exception 'The filter was changed meanwhile' using errcode = 'PT409', detail = 'changed-elsewhere';
    end if;
    new.filter_url := theirs.filter_url;
  end if;

  -- A list that is none is for the constraints to refuse.
  if array_ndims(new.receiver_ids) is distinct from 1 or array_position(new.receiver_ids, null) is not null then
    return new;
  end if;
  new.receiver_ids := array(
    select id from (
      select id, 1 as part, place from unnest(new.receiver_ids) with ordinality as mine (id, place)
      where id = any (theirs.receiver_ids) or not (id = any (base_ids))
      union all
      select id, 2, place from unnest(theirs.receiver_ids) with ordinality as added (id, place)
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

comment on function private.merge_filter_save() is
  'Merges a save with what changed since it was begun: the search as a whole, the chats one by one.';

revoke execute on function private.merge_filter_save() from public;

create trigger filter_settings_merge_saves
  before insert or update on public.filter_settings
  for each row execute function private.merge_filter_save();

-- A chat that connects itself while the first filter is being saved would else be in the one list and not in the other.
-- Whoever sees the filter has its row to lock, and must not wait here for someone who waits for that row.
create function private.wait_for_first_save() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.filter_settings where user_id = new.user_id) then
    perform private.lock_filter_of(new.user_id);
  end if;
  return new;
end;
$$;

revoke execute on function private.wait_for_first_save() from public;

create trigger chats_wait_for_first_save
  before insert on public.chats
  for each row execute function private.wait_for_first_save();

-- The column says nothing about a person. Whatever else the export holds by now stays as it is.
do $$
begin
  execute replace(
    pg_get_functiondef('public.export_my_data()'::regprocedure),
    'to_jsonb(filter_settings)',
    'to_jsonb(filter_settings) - ''based_on'''
  );
end;
$$;
