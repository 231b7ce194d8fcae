-- The language a person wants to be written to in. Unset: nobody has asked yet.
alter table public.profiles add column language text
  constraint language_is_spoken_here check (language in ('en', 'es', 'ru', 'de', 'fr'));

comment on column public.profiles.language is 'The language of alerts and mails; the owner''s to choose.';

grant update (language) on public.profiles to authenticated;

create policy "People choose their own language" on public.profiles
  for update to authenticated using ((select auth.uid()) = id) with check ((select auth.uid()) = id);

-- Some auth servers keep the metadata as an object, others as that object written into a JSON string.
create function private.metadata_of(metadata jsonb) returns jsonb
  language sql immutable set search_path = ''
as $$
  select case jsonb_typeof(metadata) when 'string' then (metadata #>> '{}')::jsonb else metadata end;
$$;

create or replace function private.full_name_of(metadata jsonb) returns text
  language sql immutable set search_path = ''
as $$
  select nullif(left(btrim(private.metadata_of(metadata) ->> 'full_name'), 200), '');
$$;

create function private.language_of(metadata jsonb) returns text
  language sql immutable set search_path = ''
as $$
  select found.language
  from (select private.metadata_of(metadata) ->> 'language' as language) as found
  where found.language in ('en', 'es', 'ru', 'de', 'fr');
$$;

-- The language is taken once, at sign-up: after that it is the owner's word in the profile that counts.
create or replace function private.follow_auth_user() returns trigger
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
