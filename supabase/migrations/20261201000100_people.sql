-- People: the profile of an account, and the schemas that the data API does not expose.

-- Functions that need more rights than their caller has.
create schema private;
comment on schema private is 'Functions behind triggers and checks, and sign-in tables; never exposed by the data API.';
grant usage on schema private to authenticated;

create schema watch;
comment on schema watch is 'Tables of our own processes; no request role has access.';

-- The auth service owns the account; a trigger copies its changes to this row.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text check (char_length(full_name) <= 200),
  email text check (char_length(email) <= 320),
  -- Null until the person chose one. Which languages there are is decided in src/core/languages.ts.
  language text constraint language_is_a_code check (language ~ '^[a-z]{2}$')
);
comment on table public.profiles is 'Name and e-mail of an account, copied from auth.users by a trigger.';
comment on column public.profiles.language is 'The language of alerts and mails, chosen by the owner.';

alter table public.profiles enable row level security;
revoke all on public.profiles from anon, authenticated;
grant select, update (language) on public.profiles to authenticated;

create policy "People read their own profile" on public.profiles
  for select to authenticated using ((select auth.uid()) = id);
create policy "People choose their own language" on public.profiles
  for update to authenticated using ((select auth.uid()) = id) with check ((select auth.uid()) = id);

create function private.require_caller() returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is null then
    raise exception 'Only a signed-in person can do this' using errcode = 'insufficient_privilege';
  end if;
  return (select auth.uid());
end;
$$;

-- Some auth servers store the metadata as an object, others as a JSON string of that object.
create function private.metadata_of(metadata jsonb) returns jsonb
  language sql immutable set search_path = ''
as $$
  select case jsonb_typeof(metadata) when 'string' then (metadata #>> '{}')::jsonb else metadata end;
$$;

create function private.full_name_of(metadata jsonb) returns text
  language sql immutable set search_path = ''
as $$
  select nullif(left(btrim(private.metadata_of(metadata) ->> 'full_name'), 200), '');
$$;

create function private.language_of(metadata jsonb) returns text
  language sql immutable set search_path = ''
as $$
  select found.language
  from (select private.metadata_of(metadata) ->> 'language' as language) as found
  where found.language ~ '^[a-z]{2}$';
$$;

-- The language is taken at sign-up only; after that the owner chooses it in the profile.
create function private.follow_auth_user() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (id, full_name, email, language)
  values (
    new.id,
    private.full_name_of(new.raw_user_meta_data),
    new.email,
    private.language_of(new.raw_user_meta_data)
  )
  on conflict (id) do update set full_name = excluded.full_name, email = excluded.email;
  return new;
end;
$$;

create trigger profiles_follow_auth_users
  after insert or update of email, raw_user_meta_data on auth.users
  for each row execute function private.follow_auth_user();

-- a***@example.com: enough to recognise an account, too little for a stranger to write to it.
create function private.masked_email(person uuid) returns text
  language sql stable security definer set search_path = ''
as $$
  select left(email, 1) || '***' || substring(email from '@.*$') from public.profiles where id = person;
$$;

create function private.touch_updated_at() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end;
$$;

revoke execute on all functions in schema private from public;
