-- The session that makes an account by Telegram is greeted, not reported as a sign-in from a new browser.
create or replace function private.note_browser(
  person uuid, event_kind text, event_browser text, event_platform text, hash bytea, session uuid, moment timestamptz
) returns void
  language plpgsql
  security definer
  set search_path to ''
as $$
declare
  is_first boolean;
  is_mailed boolean;
begin
  update private.known_browsers set last_used_at = moment, session_id = coalesce(session, session_id)
  where user_id = person and browser_hash = hash;
  if found then
    return;
  end if;
  is_first := event_kind = 'sign_in'
    and exists (
      select from auth.users
      where id = person and coalesce(email, '') = '' and created_at > moment - interval '10 minutes'
    )
    and not exists (select from private.known_browsers where user_id = person);
  is_mailed := event_kind = 'sign_in' and not is_first
    and (
      exists (select from private.proven_addresses where user_id = person)
      or exists (select from auth.identities where user_id = person and provider = 'google')
      or exists (select from auth.users where id = person and coalesce(email, '') = '')
    )
    and (
      select count(*) from private.known_browsers where user_id = person and mailed_at > moment - interval '1 day'
    ) < 3;
  insert into private.known_browsers (user_id, browser_hash, last_used_at, session_id, mailed_at)
  values (person, hash, moment, session, case when is_mailed then moment end);
  if is_mailed then
    insert into private.account_mails (kind, user_id, browser, platform, created_at)
    values ('new-browser', person, event_browser, event_platform, moment);
  elsif is_first then
    perform private.write_notice(person, jsonb_build_object('notice', 'welcome'));
  end if;
end;
$$;
