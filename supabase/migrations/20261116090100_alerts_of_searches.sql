-- Quiet hours belong to a search; those of a person become those of their first one.
-- Checks that are newer than a row are made when it is changed: a row that fails them keeps what it has, and no start is stopped.
do $$
declare
  person record;
begin
  for person in select id, quiet_from, quiet_until from public.profiles where quiet_from is not null loop
    begin
      update public.filter_settings set quiet_from = person.quiet_from, quiet_until = person.quiet_until
      where user_id = person.id;
    exception when check_violation then
      raise notice 'A search that cannot be saved as it is got no quiet hours';
    end;
  end loop;
end;
$$;
-- squawk-ignore ban-drop-column
alter table public.profiles drop column quiet_from, drop column quiet_until;

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
  delete from watch.link_tokens where user_id = person;
  delete from watch.chat_questions where user_id = person;
  delete from watch.alerts where user_id = person;
  delete from watch.marks where user_id = person;
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
    'mail_address', (
      select to_jsonb(mail_addresses) - 'user_id' from public.mail_addresses where user_id = (select auth.uid())
    ),
    'received_mails', (
      select coalesce(jsonb_agg(to_jsonb(received_mails) - 'user_id' order by received_at, id), '[]')
      from public.received_mails where user_id = (select auth.uid())
    )
  );
$$;

-- A find is told to a chat once for a person, as new or as advertised again, whichever of their searches found it.
delete from watch.alerts as later using watch.alerts as earlier
where later.kind in ('new', 'readvertised') and earlier.kind in ('new', 'readvertised')
  and later.user_id = earlier.user_id and later.chat_id = earlier.chat_id and later.listing_id = earlier.listing_id
  and later.position > earlier.position;
-- squawk-ignore require-concurrent-index-creation
create unique index find_is_told_once on watch.alerts (user_id, chat_id, listing_id)
  where kind in ('new', 'readvertised');

alter table watch.alerts
  -- The message was sent before all of its searches were known: from then on it is to be edited.
  add column edit_due_at timestamptz,
  add column edit_attempts integer not null default 0;
-- squawk-ignore require-concurrent-index-creation
create index alerts_to_edit on watch.alerts (edit_due_at) where edit_due_at is not null;

-- The searches that found a listing; where that was not written down, it counts for the first.
create function watch.found_by(held uuid[], person uuid) returns uuid[]
  language sql stable set search_path = ''
as $$
  select case
    when held = '{}' then array(select id from public.filter_settings where user_id = person)
    else held
  end;
$$;

-- Both together, each once; of those that come and go, the latest fifty.
create function watch.joined_ids(held uuid[], added uuid[]) returns uuid[]
  language sql immutable set search_path = ''
as $$
  select ids[greatest(1, cardinality(ids) - 49):]
  from (values (held || array(select id from unnest(added) as id where not (id = any (held))))) as both_of (ids);
$$;

revoke execute on function watch.found_by(uuid[], uuid) from public;
revoke execute on function watch.joined_ids(uuid[], uuid[]) from public;
