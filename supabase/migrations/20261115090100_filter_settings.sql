-- One saved search a person, and the chats that are told about it.
create table public.filter_settings (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references auth.users (id) on delete cascade,
  filter_url text not null,
  receiver_ids text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  -- The form saves what the normaliser gives: https, the portal's own host, nothing before or after it.
  constraint filter_url_is_of_the_portal check (
    char_length(filter_url) <= 2048
    and filter_url ~ '^https://www\.idealista\.com/[!-\[\]-~]+$'
  ),
  -- One to ten ids. Joining and splitting again shows an id that holds a comma, a null, or a nested array.
  constraint receiver_ids_are_chat_ids check (
    cardinality(receiver_ids) between 1 and 10
    and array_ndims(receiver_ids) = 1
    and array_to_string(receiver_ids, ',') ~ '^-?[1-9][0-9]{0,12}(,-?[1-9][0-9]{0,12})*$'
    and cardinality(string_to_array(array_to_string(receiver_ids, ','), ',')) = cardinality(receiver_ids)
  )
);

comment on table public.filter_settings is 'The search a person saved and the Telegram chats that are told of new listings.';

create function private.touch_updated_at() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end;
$$;

create trigger filter_settings_touch_updated_at
  before update on public.filter_settings
  for each row execute function private.touch_updated_at();

alter table public.filter_settings enable row level security;
revoke all on public.filter_settings from anon, authenticated;
grant select, delete on public.filter_settings to authenticated;
grant insert (user_id, filter_url, receiver_ids) on public.filter_settings to authenticated;
grant update (user_id, filter_url, receiver_ids) on public.filter_settings to authenticated;

create policy "People read their own filter" on public.filter_settings
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People save their own filter" on public.filter_settings
  for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "People change their own filter" on public.filter_settings
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy "People delete their own filter" on public.filter_settings
  for delete to authenticated using ((select auth.uid()) = user_id);
