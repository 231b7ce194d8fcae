-- Security events of an account, shown to its owner and to the operator. Events are deleted after 90 days, browsers 180
-- days after their last use. No table contains a user agent or a network address.
create table private.security_events (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (
    kind in (
      'sign_in', 'sign_up', 'wrong_password', 'password_changed', 'password_reset', 'session_ended',
      'chat_connected', 'chat_removed', 'export', 'telegram_linked', 'telegram_unlinked', 'accounts_joined',
      'email_added'
    )
  ),
  -- Null if no request is known, or if the row counts wrong passwords from several browsers.
  browser text check (char_length(browser) <= 30),
  platform text check (char_length(platform) <= 30),
  times integer not null default 1,
  began_at timestamptz not null,
  happened_at timestamptz not null
);
comment on table private.security_events is
  'Security events of accounts; repeats from one browser within an hour are one row with a count.';
create index security_events_of_a_person on private.security_events (user_id, happened_at);
create index security_events_by_time on private.security_events (happened_at);

alter table private.security_events enable row level security;
revoke all on private.security_events from public, anon, authenticated;

-- Anyone can guess a password, so wrong ones take at most ten rows a day, and the newest row counts the rest. Skips a
-- row that another transaction is writing, so that triggers cannot deadlock.
create function private.note_security_event(
  person uuid, event_kind text, event_browser text, event_platform text, occurrences integer, moment timestamptz
) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  -- The account is being deleted.
  if not exists (select from auth.users where id = person) then
    return;
  end if;
  update private.security_events set times = times + occurrences, happened_at = greatest(happened_at, moment)
  where id = (
    select id from private.security_events
    where user_id = person and kind = event_kind and began_at > moment - interval '1 hour'
      and browser is not distinct from event_browser and platform is not distinct from event_platform
    order by began_at desc limit 1 for update skip locked
  );
  if found then
    return;
  end if;
  if event_kind = 'wrong_password' and (
    select count(*) from private.security_events
    where user_id = person and kind = event_kind and began_at > moment - interval '1 day'
  ) >= 10 then
    update private.security_events set
      times = times + occurrences, happened_at = greatest(happened_at, moment), browser = null, platform = null
    where id = (
      select id from private.security_events
      where user_id = person and kind = event_kind order by began_at desc, id desc limit 1
    );
    return;
  end if;
  insert into private.security_events (user_id, kind, browser, platform, times, began_at, happened_at)
  values (person, event_kind, event_browser, event_platform, occurrences, moment, moment);
end;
$$;

-- Records the browser of a sign-in. The owner is notified of a new one at most three times in 24 hours: by mail at a
-- proved address, or in the chat of an account without an address.
create function private.note_browser(
  person uuid, event_kind text, event_browser text, event_platform text, hash bytea, session uuid, moment timestamptz
) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  is_mailed boolean;
begin
  update private.known_browsers set last_used_at = moment, session_id = coalesce(session, session_id)
  where user_id = person and browser_hash = hash;
  if found then
    return;
  end if;
  is_mailed := event_kind = 'sign_in'
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
  end if;
end;
$$;

create function private.record_auth_event(
  person uuid, event_kind text, event_browser text, event_platform text, hash bytea, session uuid, moment timestamptz
) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  seen integer;
begin
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
comment on function private.record_auth_event(uuid, text, text, text, bytea, uuid, timestamptz) is
  'Records an event of the embedded auth service, which may call only this one of these functions.';

create function private.note_ended_session() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update private.known_browsers
  set last_used_at = greatest(last_used_at, old.created_at, old.refreshed_at at time zone 'utc')
  where user_id = old.user_id and session_id = old.id;
  perform private.note_security_event(old.user_id, 'session_ended', null, null, 1, now());
  return null;
end;
$$;

create trigger ended_session_is_noted
  after delete on auth.sessions
  for each row execute function private.note_ended_session();

-- At most ten rows of wrong passwords, so that guesses cannot push out other events.
create function public.my_security_events() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(shown) - 'place' order by shown.happened_at desc, shown.id desc), '[]')
  from (
    select placed.* from (
      select id, kind, browser, platform, times, began_at, happened_at,
        row_number() over (partition by kind order by happened_at desc, id desc) as place
      from private.security_events where user_id = (select auth.uid())
    ) as placed
    where placed.kind <> 'wrong_password' or placed.place <= 10
    order by placed.happened_at desc, placed.id desc limit 50
  ) as shown;
$$;
comment on function public.my_security_events() is 'The caller''s latest security events, newest first, 50 at most.';

revoke execute on all functions in schema private from public;
revoke execute on function public.my_security_events() from public, anon;
grant execute on function public.my_security_events() to authenticated;
