-- A person's own data in one piece, and the end of an account.

-- PostgreSQL lets everyone execute a new function; in this schema that right is given by name, function by function.
revoke execute on all functions in schema private from public;
grant usage on schema private to authenticated;

-- The account as the auth service knows it: its tables are closed to people, so this runs with the owner's rights.
create function private.my_account() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', users.id,
    'email', users.email,
    'created_at', users.created_at,
    'last_sign_in_at', users.last_sign_in_at,
    'metadata', private.metadata_of(users.raw_user_meta_data),
    'sign_in_with', (
      select coalesce(jsonb_agg(identities.provider order by identities.provider), '[]')
      from auth.identities where identities.user_id = users.id
    )
  )
  from auth.users where users.id = (select auth.uid());
$$;

revoke execute on function private.my_account() from public;
grant execute on function private.my_account() to authenticated;

-- Reads with the caller's rights, so that row-level security decides what is theirs. What is added to the product
-- adds its line here, by `create or replace`.
create function public.export_my_data() returns jsonb
  language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'account', private.my_account() || (
      select jsonb_build_object('full_name', profiles.full_name, 'language', profiles.language)
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'filter', (
      select to_jsonb(filter_settings) from public.filter_settings where user_id = (select auth.uid())
    ),
    'listings', (
      select coalesce(jsonb_agg(to_jsonb(listings) order by created_at, listing_id), '[]')
      from public.listings where user_id = (select auth.uid())
    )
  );
$$;

comment on function public.export_my_data() is 'Everything the product keeps about the caller, as one JSON object.';

revoke execute on function public.export_my_data() from public, anon;
grant execute on function public.export_my_data() to authenticated;

-- Every table of ours that holds something of a person references auth.users with `on delete cascade`; what the auth
-- service keeps without such a reference is named here.
create function public.delete_my_account() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
begin
  -- A session that was ended still has its access token for a while; it must not be good for this.
  if me is null or not exists (select from auth.sessions where id = session and user_id = me) then
    raise exception 'Only a signed-in person can delete their account' using errcode = 'insufficient_privilege';
  end if;
  delete from auth.audit_log_entries
    where private.metadata_of(payload::jsonb) ->> 'actor_id' = me::text;
  delete from auth.flow_state where user_id = me;
  delete from auth.users where id = me;
end;
$$;

comment on function public.delete_my_account() is 'Deletes the caller''s account and everything kept about them.';

revoke execute on function public.delete_my_account() from public, anon;
grant execute on function public.delete_my_account() to authenticated;
