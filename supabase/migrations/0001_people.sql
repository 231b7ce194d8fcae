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

-- People choose their names: a line break, or a mark that hides text or turns its direction, must not reach a message.
create function private.plain_name(name text) returns text
  language sql immutable set search_path = ''
as $$
  select nullif(left(btrim(regexp_replace(regexp_replace(
    name, '[\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2800\u3164\ufeff]', '', 'g'
  ), '[\s\u0001-\u001f\u007f-\u00a0\u2028\u2029]+', ' ', 'g')), 60), '');
$$;

-- Enough to recognise an account, too little to write to it or to pose as somebody: a***@example.com, and A*** (Telegram)
-- for an account without an address.
create function private.masked_account(person uuid) returns text
  language sql stable security definer set search_path = ''
as $$
  select case
    when email <> '' then left(email, 1) || '***' || substring(email from '@.*$')
    else coalesce(left(private.plain_name(full_name), 1), '') || '*** (Telegram)'
  end
  from public.profiles where id = person;
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
