-- A row trigger runs before row-level security checks the row. These read the rows of new.user_id, so a row with somebody
-- else's id was answered with that person's limit, and waited for that person's lock. They now run for the caller's own rows
-- and for our own processes, which have no auth.uid(); every other row goes on to row-level security, which refuses it.
create or replace trigger limit_of_searches before insert on public.filter_settings
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.limit_searches();
create or replace trigger limit_of_searches before insert on public.other_searches
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.limit_searches();
create or replace trigger filter_settings_merge_saves before insert or update on public.filter_settings
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.merge_filter_save();
create or replace trigger other_searches_merge_saves before insert or update on public.other_searches
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.merge_filter_save();
create or replace trigger limit_of_own_places before insert on public.own_places
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.limit_own_places();
