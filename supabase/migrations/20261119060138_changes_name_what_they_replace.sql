-- A change of a search names the fields that it replaces and what they were, as the condition of its update. What a save was
-- based on is no longer a column, and no trigger merges.

drop trigger searches_2_merge_saves on public.searches;
drop function private.merge_filter_save();

drop view public.filter_settings;
alter table public.searches drop column based_on;

create view public.filter_settings with (security_invoker = true) as
  select id, first_of as user_id, filter_url, receiver_ids, created_at, updated_at, is_paused, name, quiet_from, quiet_until,
    rules, is_folded
  from public.searches where first_of is not null
  with check option;
comment on view public.filter_settings is 'The first search of each person.';
revoke all on public.filter_settings from anon, authenticated;
grant select, delete on public.filter_settings to authenticated;
grant insert (user_id, filter_url, receiver_ids, name, quiet_from, quiet_until, is_paused),
  update (user_id, filter_url, receiver_ids, name, quiet_from, quiet_until, is_paused)
  on public.filter_settings to authenticated;

-- Before the first search a chat that connected itself is in no list. One that connects while the first search is being saved
-- would be disconnected by the save, which could not name it. The lock is the one of a chat that connects.
create function public.save_first(filter_url text, receiver_ids text[], seen_chats text[])
  returns jsonb
  language plpgsql
  set search_path = ''
as $function$
declare
  me constant uuid := (select auth.uid());
  saved public.searches;
begin
  perform private.lock_person(me);
  if exists (select from public.searches where first_of = me) then
    return null;
  end if;
  insert into public.searches (user_id, filter_url, receiver_ids)
  values (me, save_first.filter_url, save_first.receiver_ids || array(
    select chat_id::text from public.chats
    where user_id = me and state = 'connected'
      and chat_id::text <> all (save_first.receiver_ids || save_first.seen_chats)
    order by created_at
  ))
  returning * into saved;
  return to_jsonb(saved);
end;
$function$;
comment on function public.save_first(text, text[], text[]) is
  'Saves the first search of the caller, with the chats that have connected and that the page has not seen. Returns null if there is one.';
revoke all on function public.save_first(text, text[], text[]) from public, anon;
grant execute on function public.save_first(text, text[], text[]) to authenticated;

create or replace function public.export_my_data()
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.note_my_export();
  select jsonb_build_object(
    'exported_at', now(),
    'account', private.my_account() || (
      select jsonb_build_object('full_name', profiles.full_name, 'language', profiles.language)
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'searches', (
      select coalesce(
        jsonb_agg(to_jsonb(searches) - 'first_of' - 'user_id' order by is_first desc, created_at, id), '[]'
      )
      from public.searches where user_id = (select auth.uid())
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
    ),
    'security_events', private.my_events()
  ) || private.my_other_rows();
$function$;
