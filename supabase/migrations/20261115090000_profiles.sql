-- What the product shows of an account. The auth service owns the account; this row follows it.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text check (char_length(full_name) <= 200),
  email text check (char_length(email) <= 320)
);

comment on table public.profiles is 'Name and e-mail of an account, kept in step with auth.users by a trigger.';

alter table public.profiles enable row level security;
revoke all on public.profiles from anon, authenticated;
grant select on public.profiles to authenticated;

create policy "People read their own profile" on public.profiles
  for select to authenticated using ((select auth.uid()) = id);

-- Whatever must run with more rights than its caller has, out of the data API's reach.
create schema private;
comment on schema private is 'Functions behind triggers and checks; never exposed by the data API.';

-- Some auth servers keep the metadata as an object, others as that object written into a JSON string.
create function private.full_name_of(metadata jsonb) returns text
  language plpgsql immutable set search_path = ''
as $$
begin
  if jsonb_typeof(metadata) = 'string' then
    metadata := (metadata #>> '{}')::jsonb;
  end if;
  return nullif(left(btrim(metadata ->> 'full_name'), 200), '');
end;
$$;

create function private.follow_auth_user() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (id, full_name, email)
  values (new.id, private.full_name_of(new.raw_user_meta_data), new.email)
  on conflict (id) do update set full_name = excluded.full_name, email = excluded.email;
  return new;
end;
$$;

create trigger profiles_follow_auth_users
  after insert or update of email, raw_user_meta_data on auth.users
  for each row execute function private.follow_auth_user();
