-- A token is checked when its request arrives. Its session may end before the request acts, so it is asked for again in the
-- transaction of the request, by the role that the request runs as.

create or replace function private.require_session() returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_caller();
begin
  if not exists (
    select from auth.sessions where id = (select (auth.jwt() ->> 'session_id')::uuid) and user_id = me
  ) then
    raise exception 'The session of this JWT has ended' using errcode = 'PT401';
  end if;
  return me;
end;
$$;

grant execute on function private.require_session(), private.lock_session() to authenticated;
