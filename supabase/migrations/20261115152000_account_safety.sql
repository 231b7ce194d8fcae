-- Dangerous acts need more than an access token, sessions are the person's to see and to end, and what happens to an
-- account is told to its owner by mail.

-- What a person set up, and nothing of the account itself: for when somebody else turns out to own the address.
create function private.forget_setup(person uuid) returns void
  language sql volatile security definer set search_path = ''
as $$
  delete from public.filter_settings where user_id = person;
  delete from public.chats where user_id = person;
  delete from public.listings where user_id = person;
  delete from watch.link_tokens where user_id = person;
  delete from watch.chat_questions where user_id = person;
  delete from watch.alerts where user_id = person;
  delete from watch.marks where user_id = person;
  update public.profiles set language = null, quiet_from = null, quiet_until = null where id = person;
$$;

comment on function private.forget_setup(uuid) is 'Ends everything a person set up: filter, chats, links, finds, choices. The embedded auth service calls it when an address is first proved by another.';

revoke execute on function private.forget_setup(uuid) from public;

-- Whether this session showed lately that its owner is there. The embedded guard notes a password only while it was
-- given anew for the act; GoTrue notes every sign-in. Google's word counts where there is no password.
create function private.is_session_proved(session uuid, person uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.mfa_amr_claims as claims
    join auth.sessions on sessions.id = claims.session_id
    join auth.users on users.id = sessions.user_id
    where sessions.id = session and users.id = person
      and case claims.authentication_method
        when 'password' then claims.updated_at > now() - interval '10 minutes'
        when 'recovery' then claims.updated_at > now() - interval '15 minutes'
        when 'oauth' then coalesce(users.encrypted_password, '') = '' and claims.updated_at > now() - interval '10 minutes'
        else false
      end
  );
$$;

revoke execute on function private.is_session_proved(uuid, uuid) from public;

drop function public.delete_my_account();

-- Every table of ours that holds something of a person references auth.users with `on delete cascade`; what the auth
-- service keeps without such a reference is named here.
create function public.delete_my_account(current_password text default null) returns void
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
  -- The password itself is checked, and wrong ones counted, before this function; here its proof is looked for.
  if not private.is_session_proved(session, me) then
    if exists (select from auth.users where id = me and coalesce(encrypted_password, '') <> '') then
      raise exception 'The current password is required' using errcode = 'PT403', detail = 'current_password_required';
    end if;
    raise exception 'Sign in with Google again, then repeat this within ten minutes'
      using errcode = 'PT403', detail = 'reauthentication_needed';
  end if;
  delete from auth.audit_log_entries
    where private.metadata_of(payload::jsonb) ->> 'actor_id' = me::text;
  delete from auth.flow_state where user_id = me;
  delete from auth.users where id = me;
end;
$$;

comment on function public.delete_my_account(text) is 'Deletes the caller''s account and everything kept about them; asks for the current password, or a sign-in just made.';

revoke execute on function public.delete_my_account(text) from public, anon;
grant execute on function public.delete_my_account(text) to authenticated;

-- Sessions, which the auth service keeps closed to people. An ended session's token sees none.
create function public.my_sessions() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(found) order by found.is_current desc, found.last_used_at desc, found.id), '[]')
  from (
    select sessions.id, sessions.user_agent, sessions.created_at,
      greatest(sessions.created_at, sessions.refreshed_at at time zone 'utc') as last_used_at,
      sessions.id = (select (auth.jwt() ->> 'session_id')::uuid) as is_current
    from auth.sessions
    where sessions.user_id = (select auth.uid())
      and exists (
        select from auth.sessions as own
        where own.id = (select (auth.jwt() ->> 'session_id')::uuid) and own.user_id = (select auth.uid())
      )
    order by is_current desc, last_used_at desc
    limit 100
  ) as found;
$$;

comment on function public.my_sessions() is 'Where the caller is signed in: with which program, since when, last used when.';

revoke execute on function public.my_sessions() from public, anon;
grant execute on function public.my_sessions() to authenticated;

create function public.end_my_session(session_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null or not exists (
    select from auth.sessions where id = (select (auth.jwt() ->> 'session_id')::uuid) and user_id = me
  ) then
    raise exception 'Only a signed-in person can end a session' using errcode = 'insufficient_privilege';
  end if;
  delete from auth.sessions where id = end_my_session.session_id and user_id = me;
  return found;
end;
$$;

comment on function public.end_my_session(uuid) is 'Signs one of the caller''s devices out, at once. Answers whether there was such a session.';

revoke execute on function public.end_my_session(uuid) from public, anon;
grant execute on function public.end_my_session(uuid) to authenticated;

create function public.has_password() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.users where id = (select auth.uid()) and coalesce(encrypted_password, '') <> ''
  );
$$;

comment on function public.has_password() is 'Whether the caller''s account has a password, or is entered by Google alone.';

revoke execute on function public.has_password() from public, anon;
grant execute on function public.has_password() to authenticated;
