-- Sign-up asks for no proof of an address, so the person who set an account up may not own the address. When the owner first
-- proves it by mail, everything set up before is held: nothing is sent, and no chat reads or writes the account, until the
-- account itself says that it was its own, or removes it. Proof by Google still ends everything.

create table private.held_setups (
  user_id uuid primary key references auth.users (id) on delete cascade,
  held_at timestamptz not null default now()
);

comment on table private.held_setups is
  'Accounts whose setup is older than the first proof of their address by mail, and waits for the account''s yes.';

alter table private.held_setups enable row level security;
revoke all on private.held_setups from public, anon, authenticated;

create function watch.is_setup_held(person uuid) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (select from private.held_setups where user_id = person);
$$;

comment on function watch.is_setup_held(uuid) is 'Whether everything of this account waits for its owner''s yes.';

revoke execute on function watch.is_setup_held(uuid) from public;

create or replace view watch.confirmed_chats with (security_invoker = true) as
  select user_id, chat_id, created_at from public.chats
  where state = 'connected' and confirmed_at is not null and not watch.is_setup_held(user_id);

create function private.has_setup(person uuid) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (select from watch.saved_searches where user_id = person)
    or exists (select from public.chats where user_id = person)
    or exists (select from public.mail_addresses where user_id = person)
    or exists (select from public.own_places where user_id = person)
    or exists (select from public.find_settings where user_id = person)
    or exists (select from public.marks where user_id = person);
$$;

revoke execute on function private.has_setup(uuid) from public;

-- A password set by a link that came by mail proves the address. The sessions that proved nothing end.
create or replace function private.note_proven_address() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  proving constant uuid[] := array(
    select sessions.id from auth.sessions join auth.mfa_amr_claims on mfa_amr_claims.session_id = sessions.id
    where sessions.user_id = new.id and mfa_amr_claims.authentication_method in ('recovery', 'otp')
      and mfa_amr_claims.updated_at > now() - interval '1 hour'
  );
begin
  if cardinality(proving) = 0 then
    return null;
  end if;
  insert into private.proven_addresses (user_id) values (new.id) on conflict do nothing;
  if not found then
    return null;
  end if;
  delete from auth.sessions where user_id = new.id and not (id = any (proving));
  delete from private.known_addresses where user_id = new.id;
  delete from private.known_browsers where user_id = new.id and not coalesce(session_id = any (proving), false);
  -- What a chat changes at this moment comes before or is refused.
  perform private.lock_filter_of(new.id);
  insert into private.held_setups (user_id) select new.id where private.has_setup(new.id);
  return null;
end;
$$;

-- Where sign-up asks for a proof, as a hosted Supabase can, the address is proved before anything is set up.
create function private.note_confirmed_address() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.proven_addresses (user_id) values (new.id) on conflict do nothing;
  return null;
end;
$$;

revoke execute on function private.note_confirmed_address() from public;

create trigger note_confirmed_address
  after update of email_confirmed_at on auth.users
  for each row when (old.email_confirmed_at is null and new.confirmation_sent_at <= new.email_confirmed_at)
  execute function private.note_confirmed_address();

insert into private.proven_addresses (user_id)
select id from auth.users where confirmation_sent_at <= email_confirmed_at
on conflict do nothing;

create or replace function private.forget_setup(person uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.other_searches where user_id = person;
  delete from public.filter_settings where user_id = person;
  delete from public.chats where user_id = person;
  delete from public.listings where user_id = person;
  delete from public.own_places where user_id = person;
  delete from public.find_settings where user_id = person;
  delete from public.marks where user_id = person;
  delete from public.mail_addresses where user_id = person;
  delete from public.received_mails where user_id = person;
  delete from watch.mails where user_id = person;
  delete from watch.mailboxes where user_id = person;
  delete from watch.search_previews where user_id = person;
  delete from watch.link_tokens where user_id = person;
  delete from watch.chat_questions where user_id = person;
  delete from watch.waiting_searches where user_id = person;
  delete from watch.alerts where user_id = person;
  delete from watch.silences where user_id = person;
  update public.profiles set language = null where id = person;
end;
$$;

comment on function private.forget_setup(uuid) is 'Removes everything a person set up, and nothing of the account itself.';

create or replace function private.end_unproven_access() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  person constant uuid := new.user_id;
  is_hosted constant boolean := to_regclass('auth.one_time_tokens') is not null;
  -- GoTrue cannot read an account whose tokens are null; the embedded auth service knows no other way.
  no_token constant text := case when is_hosted then '' end;
  bare jsonb;
begin
  insert into private.proven_addresses (user_id) values (person) on conflict do nothing;
  if not found then
    return new;
  end if;
  delete from auth.sessions where user_id = person;
  delete from private.known_addresses where user_id = person;
  delete from private.known_browsers where user_id = person;
  if exists (select from auth.identities where user_id = person and id <> new.id) then
    select jsonb_build_object('sub', person, 'email', email) into bare from auth.users where id = person;
    update auth.users set encrypted_password = null, recovery_token = no_token, confirmation_token = no_token,
      raw_user_meta_data = case jsonb_typeof(raw_user_meta_data) when 'string' then to_jsonb(bare::text) else bare end
      where id = person;
    update auth.identities set
      identity_data = case jsonb_typeof(identity_data) when 'string' then to_jsonb(bare::text) else bare end
      where user_id = person and id <> new.id;
    if is_hosted then
      execute 'delete from auth.one_time_tokens where user_id = $1' using person;
    end if;
  end if;
  perform private.forget_setup(person);
  return new;
end;
$$;

-- An ended session's access token is valid for a while longer; it must not decide anything.
create function private.require_session() returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null or not exists (
    select from auth.sessions where id = (select (auth.jwt() ->> 'session_id')::uuid) and user_id = me
  ) then
    raise exception 'Only a signed-in person can decide this' using errcode = 'insufficient_privilege';
  end if;
  return me;
end;
$$;

revoke execute on function private.require_session() from public;

create function public.my_held_setup() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'chats', (
      select coalesce(
        jsonb_agg(jsonb_build_object('chat_id', chat_id::text, 'kind', kind, 'title', title) order by created_at, chat_id), '[]'
      )
      from public.chats where chats.user_id = held.user_id
    ),
    'searches', (
      select coalesce(
        jsonb_agg(jsonb_build_object('id', id, 'name', name, 'filter_url', filter_url) order by is_first desc, created_at, id),
        '[]'
      )
      from watch.saved_searches as saved where saved.user_id = held.user_id
    ),
    'places', (
      select coalesce(jsonb_agg(name order by created_at, id), '[]') from public.own_places as place
      where place.user_id = held.user_id
    ),
    'has_mail_address', exists (select from public.mail_addresses as mail where mail.user_id = held.user_id)
  )
  from private.held_setups as held where held.user_id = (select auth.uid());
$$;

comment on function public.my_held_setup() is 'What waits for the caller''s yes since their address was proved; null where nothing does.';

create function public.confirm_my_setup() returns void
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_session();
begin
  delete from private.held_setups where user_id = me;
  if found then
    -- Listings that waited come as one summary, and earlier failures do not count against them.
    update watch.alerts set
      failing_since = null, held_at = case when listing_id is null then held_at else coalesce(held_at, now()) end
    where user_id = me and state = 'pending';
    perform pg_notify('alerts', '');
  end if;
end;
$$;

comment on function public.confirm_my_setup() is 'The caller says that what is held is their own; alerts that waited are sent.';

create function public.discard_my_setup() returns void
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_session();
begin
  perform private.lock_filter_of(me);
  delete from private.held_setups where user_id = me;
  if found then
    perform private.forget_setup(me);
  end if;
end;
$$;

comment on function public.discard_my_setup() is 'Removes everything the account has, where it is held; nothing otherwise.';

revoke execute on function public.my_held_setup() from public, anon;
revoke execute on function public.confirm_my_setup() from public, anon;
revoke execute on function public.discard_my_setup() from public, anon;
grant execute on function public.my_held_setup() to authenticated;
grant execute on function public.confirm_my_setup() to authenticated;
grant execute on function public.discard_my_setup() to authenticated;

-- While an account is held, a chat may refuse it and not accept it.
create or replace function watch.answer_question(
  person uuid, chat bigint, said text, chat_kind text, chat_title text, out outcome text, out email text
)
 returns record
 language plpgsql
 set search_path = ''
as $$
declare
  asked record;
begin
  perform private.lock_person_and_chat(person, chat);
  select chats.state, chats.confirmed_at into asked
  from public.chats left join watch.chat_questions as question using (user_id, chat_id)
  where user_id = person and chat_id = chat and (question.user_id is not null or chats.state <> 'waiting')
  for update of chats;
  -- A no of long ago does not undo what was agreed since; "not me" and /stop do.
  if not found or (said = 'no' and asked.state not in ('waiting', 'declined') and asked.confirmed_at is not null) then
    outcome := 'not-asked';
    return;
  end if;
  email := private.masked_email(person);
  if said in ('yes', 'me') and watch.is_setup_held(person) then
    outcome := 'held';
    return;
  end if;
  if said in ('yes', 'me') then
    outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
    if outcome = 'connected' then
      perform private.connect_chat(person, chat, chat_kind, chat_title, true, null);
    end if;
    return;
  end if;
  outcome := 'declined';
  if said = 'no' and asked.state = 'declined' then
    return;
  end if;
  -- The id stays in the person's list, where the page shows why; the name they may have known goes.
  perform private.note_answer(person, chat, 'no');
  update public.chats set state = 'declined', reason = 'said-no', confirmed_at = null, kind = null, title = null
  where user_id = person and chat_id = chat;
  update watch.alerts set state = 'undeliverable', last_error = 'declined'
  where user_id = person and chat_id = chat and state = 'pending';
end;
$$;

-- A search's status, as the page, the bot and mails show it.
create or replace function watch.state_of_search(search uuid)
 returns jsonb
 language sql
 stable
 set search_path = ''
as $$
  select jsonb_build_object(
    'id', filters.id,
    'is_paused', filters.is_paused,
    'chats', watch.chat_counts(filters.user_id, filters.receiver_ids),
    'muted_until', watch.muted_until(search, filters.user_id, filters.receiver_ids),
    'is_held', exists (select from watch.pause),
    'is_setup_held', watch.is_setup_held(filters.user_id),
    'problem', searches.problem,
    'begun_at', searches.begun_at,
    'interval_seconds', live.interval_seconds,
    'is_served_by_mail', watch.is_served_by_mail(filters.user_id),
    'spent_until', spent.until,
    -- What its feed saw before the search joined it is no check of this search.
    'last_ok_at', greatest(case when searches.begun_at is not null then feeds.last_ok_at end, searches.checked_at),
    'next_check_at', live.next_check_at,
    -- Spent requests are no failure any more once the month has turned.
    'failing_since', case when spent.is_over then null else live.failing_since end,
    'failure_reason', case when spent.is_over then null else live.failure_reason end,
    'failed_rounds', coalesce(live.failed_rounds, 0),
    'alerts', watch.alert_counts(filters.user_id, search, filters.is_first),
    'last_find', watch.last_find_of(filters.user_id, search, filters.is_first),
    'last_told', (
      select jsonb_build_object('source', alerts.source, 'at', alerts.sent_at)
      from watch.alerts
      where alerts.user_id = filters.user_id and alerts.source is not null and alerts.sent_at is not null
        and (search = any (alerts.search_ids) or filters.is_first and alerts.search_ids is null)
      order by alerts.created_at desc, alerts.position desc limit 1
    ),
    'freshness', watch.freshness_of(filters.user_id),
    'latest_alerts', watch.latest_alerts_of(filters.user_id, search, filters.is_first)
  )
  from watch.saved_searches as filters
  left join watch.searches on searches.filter_id = filters.id and searches.filter_url = filters.filter_url
  left join watch.feeds on feeds.key = searches.feed_key
  left join watch.feeds as live on live.key = feeds.key and live.idle_since is null
  left join lateral (
    select coalesce(live.spent_until <= now(), false) as is_over,
      case when live.spent_until is null or live.spent_until > now() then coalesce(live.spent_until, watch.next_month()) end
        as until
    where live.failing_since is not null and live.failure_reason = 'quota-spent'
  ) as spent on true
  where filters.id = search;
$$;
