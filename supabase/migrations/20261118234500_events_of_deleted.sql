-- An event is recorded after its request was answered, and the account may be gone by then: that is no error.

create or replace function private.record_auth_event(
  person uuid, event_kind text, event_browser text, event_platform text, hash bytea, session uuid, moment timestamptz
) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  seen integer;
begin
  -- The account may have been deleted since; while it is locked here it is not.
  perform from auth.users where id = person for key share;
  if not found then
    return;
  end if;
  -- Serialised per person: parallel requests would not see each other's rows.
  perform pg_advisory_xact_lock(hashtextextended('security-events ' || person, 0));
  -- Triggers have already recorded these, without the browser.
  if event_kind in ('password_changed', 'password_reset', 'session_ended') then
    with absorbed as (
      delete from private.security_events
      where user_id = person and browser is null and happened_at > moment - interval '1 minute'
        and (kind = event_kind or event_kind = 'password_reset' and kind = 'password_changed')
      returning times
    )
    select sum(times) into seen from absorbed;
    if seen is null and exists (
      select from private.security_events
      where user_id = person and kind = event_kind and happened_at > moment - interval '1 minute'
    ) then
      return;
    end if;
  end if;
  perform private.note_security_event(
    person, event_kind, event_browser, event_platform, coalesce(seen, 1), moment
  );
  if event_kind in ('sign_in', 'sign_up') and exists (select from auth.users where id = person) then
    perform private.note_browser(person, event_kind, event_browser, event_platform, hash, session, moment);
  end if;
end;
$$;
