-- At most 30 live sessions of a person, deletions that reach the page on hosted Supabase too, and two forgotten revokes.

-- Every sign-in locks the person's row first, so two at once cannot both keep a thirtieth session.
create function private.limit_sessions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.sessions where id in (
    select id from auth.sessions where user_id = new.user_id
    order by id = new.id desc, greatest(created_at, refreshed_at at time zone 'utc') desc, id
    offset 30
  );
  return null;
end;
$$;
comment on function private.limit_sessions() is 'Ends the session that was not used for longest when a person has more than 30.';

create trigger limit_sessions
  after insert on auth.sessions
  for each row execute function private.limit_sessions();

delete from auth.sessions where id in (
  select id from (
    select id, row_number() over (
      partition by user_id order by greatest(created_at, refreshed_at at time zone 'utc') desc, id
    ) as place
    from auth.sessions
  ) as ranked
  where place > 30
);

-- The page asks for changes with `user_id=eq.…`. On hosted Supabase a deletion passes such a filter only if the row's
-- replica identity has the column; by default that is the primary key, here `id` alone. An index, because PostgreSQL 18
-- refuses a full identity of a published table with generated columns.
create unique index searches_identity on public.searches (id, user_id);
create unique index own_places_identity on public.own_places (id, user_id);
create unique index received_mails_identity on public.received_mails (id, user_id);
alter table public.searches replica identity using index searches_identity;
alter table public.own_places replica identity using index own_places_identity;
alter table public.received_mails replica identity using index received_mails_identity;

revoke execute on function private.limit_sessions() from public;
revoke execute on all functions in schema watch from public;
