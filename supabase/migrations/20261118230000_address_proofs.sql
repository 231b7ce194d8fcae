-- A sign-up is mailed one link. Its page says what the account is and asks whose it is: "Yes, that's me" proves the address
-- and keeps everything, "That wasn't me" deletes the account. An address that is added later is proved on the same page.
-- Where an address is proved for the first time without that answer, by a reset link or by a provider, everything that
-- could act or hear ends, and everything that only describes stays.

create table private.mailed_links (
  -- SHA-256 of the token, in hexadecimal.
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The types of GoTrue's verification.
  kind text not null check (kind in ('recovery', 'signup', 'email_change')),
  -- The address that the link was mailed to.
  email text not null check (char_length(email) <= 320),
  sent_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table private.mailed_links is
  'One-time links of the embedded auth service: the latest three of each kind. Hosted Supabase keeps its own.';
create index mailed_links_of_a_person on private.mailed_links (user_id, kind);
create index mailed_links_by_end on private.mailed_links (expires_at);
alter table private.mailed_links enable row level security;
revoke all on private.mailed_links from public, anon, authenticated;

-- Links of the previous version stay valid. There, an address counted as confirmed from the sign-up on.
do $$
begin
  if private.is_hosted() then
    return;
  end if;
  if exists (
    select from information_schema.columns
    where table_schema = 'auth' and table_name = 'users' and column_name = 'recovery_token'
  ) then
    execute $links$
      insert into private.mailed_links (token_hash, user_id, kind, email, sent_at, expires_at)
      select recovery_token, id, 'recovery', email, recovery_sent_at, recovery_sent_at + interval '1 hour'
      from auth.users where recovery_token <> '' and email <> '' and recovery_sent_at > now() - interval '1 hour'
      union all
      select email_change_token_new, id, 'email_change', email_change, email_change_sent_at,
        email_change_sent_at + interval '1 hour'
      from auth.users
      where email_change_token_new <> '' and email_change <> '' and email_change_sent_at > now() - interval '1 hour'
    $links$;
    execute $columns$
      alter table auth.users drop column recovery_token, drop column confirmation_token, drop column email_change_token_new
    $columns$;
  end if;
  update auth.users set email_confirmed_at = null
  where email <> '' and not exists (select from private.proven_addresses where user_id = users.id);
end;
$$;

create function private.take_mailed_link(hash text, link_kind text, moment timestamptz, out person uuid, out address text)
  language plpgsql security definer set search_path = ''
as $$
begin
  select link.user_id into person from private.mailed_links as link where link.token_hash = hash;
  if person is null then
    return;
  end if;
  perform private.lock_person(person);
  delete from private.mailed_links as link using auth.users
  where link.token_hash = hash and link.kind = link_kind and link.expires_at > moment and users.id = link.user_id
    and (users.banned_until is null or users.banned_until <= moment)
  returning link.email into address;
  if not found then
    person := null;
    return;
  end if;
  delete from private.mailed_links where user_id = person and kind = link_kind;
end;
$$;
comment on function private.take_mailed_link(text, text, timestamptz) is
  'Uses a link, which ends the others of its kind, and locks its account; null for a link that does not work.';

create or replace function private.end_mailed_links(person uuid, kinds text[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if 'email_change' = any (kinds) then
    update auth.users set email_change = case when private.is_hosted() then '' end
    where id = person and email_change <> '';
  end if;
  if not private.is_hosted() then
    delete from private.mailed_links where user_id = person and kind = any (kinds);
    return;
  end if;
  -- GoTrue cannot read an account whose tokens are null.
  update auth.users set
    recovery_token = case when 'recovery' = any (kinds) then '' else recovery_token end,
    email_change_token_new = case when 'email_change' = any (kinds) then '' else email_change_token_new end,
    confirmation_token = case when 'signup' = any (kinds) then '' else confirmation_token end
  where id = person;
  execute $gotrue$
    delete from auth.one_time_tokens where user_id = $1 and case token_type::text
      when 'recovery_token' then 'recovery' = any ($2)
      when 'confirmation_token' then 'signup' = any ($2)
      else 'email_change' = any ($2)
    end
  $gotrue$ using person, kinds;
end;
$$;
drop function private.end_mailed_links(uuid, boolean);

create or replace function private.end_grants(person uuid, event text, kept_session uuid default null::uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  is_hosted constant boolean := private.is_hosted();
begin
  if event not in (
    'password-changed', 'reset-used', 'address-proved', 'provider-unlinked', 'telegram-disconnected', 'signed-out-here',
    'signed-out-elsewhere', 'signed-out-everywhere', 'suspended', 'deleted'
  ) then
    raise exception 'No grant is declared for the event %', event;
  end if;
  -- GoTrue has locked the account's rows before its triggers run: waiting for the person there could deadlock.
  if not (is_hosted and pg_trigger_depth() > 0) then
    perform private.lock_person(person);
  end if;
  if event = 'deleted' then
    perform private.end_flows(person);
    return;
  end if;
  perform from auth.users where id = person for no key update;

  delete from watch.link_tokens where user_id = person and used_at is null;
  if event = 'signed-out-here' then
    perform private.end_mailed_links(person, '{email_change}');
    return;
  end if;

  if event = 'telegram-disconnected' then
    perform private.end_private_chat(person, (
      select telegram_id from watch.telegram_identities where user_id = person limit 1
    ));
  end if;
  if event = 'address-proved' then
    perform private.end_chats(person, array(select chat_id from public.chats where user_id = person), 'access-ended');
    delete from public.mail_addresses where user_id = person;
    delete from watch.away_mails where user_id = person;
    delete from private.known_addresses where user_id = person;
    delete from private.known_browsers where user_id = person and (kept_session is null or session_id is distinct from kept_session);
  end if;

  -- The trigger of a deleted identity raises an event of its own, unless it is part of this one.
  perform set_config('sereno.ending_grants', person::text, true);
  if event = 'telegram-disconnected' then
    delete from auth.identities where user_id = person and provider = 'custom:telegram';
  elsif event = 'address-proved' then
    delete from auth.identities as other where user_id = person and provider <> 'email' and id is distinct from (
      select id from auth.identities as proving
      where proving.user_id = person and provider not in ('email', 'custom:telegram') and kept_session is null
      order by created_at desc limit 1
    );
  end if;
  perform set_config('sereno.ending_grants', '', true);

  -- GoTrue ends the other sessions itself after a change of password, and a trigger does not know which it keeps.
  if not (is_hosted and kept_session is null and event in ('password-changed', 'reset-used')) then
    delete from auth.sessions where user_id = person and id is distinct from kept_session;
  end if;
  if not is_hosted and event in ('password-changed', 'reset-used', 'provider-unlinked', 'telegram-disconnected') then
    delete from auth.mfa_amr_claims where session_id = kept_session;
  end if;
  perform private.end_flows(person);
  perform private.end_mailed_links(person, case
    when event in ('address-proved', 'suspended') then '{recovery, email_change, signup}'
    else '{recovery, email_change}'
  end::text[]);
end;
$$;

-- Which address a link may prove, and of which account. GoTrue's links contain what it stores, and it decides itself whether
-- a link is too old to prove anything; its links live for a day at most.
create function private.find_address_link(token text, out person uuid, out kind text, out address text)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_hosted() then
    select link.user_id, link.kind, link.email into person, kind, address
    from private.mailed_links as link join auth.users on users.id = link.user_id
    where link.token_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex') and link.kind in ('signup', 'email_change')
      and link.expires_at > now() and (users.banned_until is null or users.banned_until <= now())
      and link.email = case link.kind when 'signup' then users.email else users.email_change end;
    return;
  end if;
  select users.id, case when users.confirmation_token = token then 'signup' else 'email_change' end,
    case when users.confirmation_token = token then users.email else users.email_change end
  into person, kind, address
  from auth.users
  where char_length(token) >= 32 and (users.banned_until is null or users.banned_until <= now()) and (
    users.confirmation_token = token and users.email_confirmed_at is null
      and users.confirmation_sent_at > now() - interval '1 day'
    or users.email_change_token_new = token and users.email_change_sent_at > now() - interval '1 day'
  );
end;
$$;

-- Volatile, so that the token is never part of a URL.
create function public.describe_address_link(token_hash text) returns jsonb
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  link record;
begin
  select * into link from private.find_address_link(describe_address_link.token_hash);
  if link.person is null then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'kind', link.kind,
      'email', link.address,
      'opened_at', users.created_at,
      'browser', (
        select jsonb_build_object('family', events.browser, 'platform', events.platform)
        from private.security_events as events
        where events.user_id = users.id and events.kind in ('sign_up', 'sign_in') and events.browser is not null
        order by events.began_at, events.id limit 1
      ),
      'has_password', coalesce(users.encrypted_password, '') <> '',
      'sign_ins', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'provider', own.provider, 'name', private.plain_name(private.metadata_of(own.identity_data) ->> 'full_name')
        ) order by own.created_at, own.id), '[]')
        from auth.identities as own where own.user_id = users.id and own.provider <> 'email'
      ),
      -- A chat that has not said whose it is keeps its name to itself.
      'chats', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', chats.kind, 'name', private.plain_name(chats.title), 'digits', right(chats.chat_id::text, 4)
        ) order by chats.created_at, chats.chat_id), '[]')
        from public.chats where chats.user_id = users.id and chats.state in ('connected', 'blocked', 'unreachable')
      ),
      'searches', (select count(*) from public.searches where searches.user_id = users.id)
    )
    from auth.users where users.id = link.person
  );
end;
$$;
comment on function public.describe_address_link(text) is
  'What the account is whose address a mailed link proves, for whoever has the link; null if the link does not work.';

create function public.refuse_address(token_hash text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  link record;
begin
  select * into link from private.find_address_link(refuse_address.token_hash);
  if link.person is null then
    return null;
  end if;
  perform private.lock_person(link.person);
  -- The other answer may have been given meanwhile.
  select * into link from private.find_address_link(refuse_address.token_hash);
  if link.person is null then
    return null;
  end if;
  if link.kind = 'signup' then
    perform private.delete_account(link.person);
    return 'deleted';
  end if;
  perform private.end_mailed_links(link.person, '{email_change}');
  return 'refused';
end;
$$;
comment on function public.refuse_address(text) is
  '"That wasn''t me": deletes the account that was signed up with the address, or forgets the address that one wanted to add.';

alter table watch.deletion_notices drop constraint kind_is_known, add constraint kind_is_known check (
  kind in ('account-deleted', 'telegram-disconnected', 'access-ended')
);
comment on table watch.deletion_notices is
  'Chats to be notified that an account whose alerts they received was deleted, or ended them; for a day at most.';

alter table private.account_mails drop constraint account_mails_kind_check;
alter table private.account_mails add constraint account_mails_kind_check check (
  kind in (
    'password-changed', 'chat-connected', 'account-deleted', 'chats-lost', 'new-browser', 'alert-mail-steps',
    'telegram-linked', 'telegram-unlinked', 'alerts-waiting', 'access-ended'
  )
);

-- Before the access ends: tells the owner, at the address that was proved. The chats are told by private.end_chats.
create function private.mail_of_ended_access(person uuid, with_password boolean) returns void
  language sql security definer set search_path = ''
as $$
  insert into private.account_mails (kind, user_id)
  select 'access-ended', person
  where exists (select from public.chats where user_id = person and state in ('connected', 'blocked', 'unreachable'))
    or exists (select from public.mail_addresses where user_id = person)
    or exists (select from auth.identities where user_id = person and provider = 'custom:telegram')
    or with_password and exists (select from auth.users where id = person and encrypted_password <> '');
$$;

create or replace function private.end_unproven_access() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  person constant uuid := new.user_id;
  bare jsonb;
begin
  -- GoTrue has locked the account's rows before its triggers run: waiting for the person there could deadlock.
  if not private.is_hosted() then
    perform private.lock_person(person);
  end if;
  insert into private.proven_addresses (user_id) values (person) on conflict do nothing;
  if not found then
    return new;
  end if;
  update auth.users set email_confirmed_at = now() where id = person and email_confirmed_at is null;
  if exists (select from auth.identities where user_id = person and id <> new.id) then
    perform private.mail_of_ended_access(person, true);
    perform private.end_grants(person, 'address-proved');
    select jsonb_build_object('sub', person, 'email', email) into bare from auth.users where id = person;
    update auth.users set encrypted_password = null,
      raw_user_meta_data = case jsonb_typeof(raw_user_meta_data) when 'string' then to_jsonb(bare::text) else bare end
      where id = person;
    update auth.identities set
      identity_data = case jsonb_typeof(identity_data) when 'string' then to_jsonb(bare::text) else bare end
      where user_id = person and id <> new.id;
  end if;
  return new;
end;
$$;

create or replace function private.note_proven_address() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- The auth service names the session; GoTrue does not.
  changing constant uuid := nullif(current_setting('sereno.kept_session', true), '')::uuid;
  proving constant uuid := (
    select sessions.id from auth.sessions join auth.mfa_amr_claims as claims on claims.session_id = sessions.id
    where sessions.user_id = new.id and claims.authentication_method in ('recovery', 'otp')
      and claims.updated_at > now() - interval '1 hour' and sessions.id = coalesce(changing, sessions.id)
    order by claims.updated_at desc limit 1
  );
begin
  if proving is null then
    return null;
  end if;
  insert into private.proven_addresses (user_id) values (new.id) on conflict do nothing;
  if found then
    update auth.users set email_confirmed_at = now() where id = new.id and email_confirmed_at is null;
    perform private.mail_of_ended_access(new.id, false);
    perform private.end_grants(new.id, 'address-proved', proving);
    perform private.follow_identities(new.id);
  end if;
  return null;
end;
$$;

create or replace function watch.answer_question(person uuid, chat bigint, said text, chat_kind text, chat_title text, out outcome text, out account text) returns record
  language plpgsql set search_path = ''
as $$
declare
  asked record;
begin
  perform private.lock_person_and_chat(person, chat);
  select chats.state, chats.confirmed_at into asked
  from public.chats left join watch.chat_questions as question using (user_id, chat_id)
  where user_id = person and chat_id = chat and (question.user_id is not null or chats.state <> 'waiting')
    and chats.reason is distinct from 'ended'
  for update of chats;
  -- An old "no" does not revoke a later consent; "not me" and /stop do.
  if not found or (said = 'no' and asked.state not in ('waiting', 'declined') and asked.confirmed_at is not null) then
    outcome := 'not-asked';
    return;
  end if;
  account := private.masked_account(person);
  if said in ('yes', 'me') then
    outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
    if outcome = 'connected' then
      perform private.connect_chat(person, chat, chat_kind, chat_title, true, null);
      update watch.chat_questions set is_own = true where said = 'me' and user_id = person and chat_id = chat;
      account := private.account_in_chat(person, chat);
    end if;
    return;
  end if;
  outcome := 'declined';
  if said = 'no' and asked.state = 'declined' then
    return;
  end if;
  -- The id stays in the person's list, where the page shows the reason; the chat's name is removed.
  perform private.note_answer(person, chat, 'no');
  update public.chats set state = 'declined', reason = 'said-no', confirmed_at = null, kind = null, title = null
  where user_id = person and chat_id = chat;
  update watch.alerts set state = 'undeliverable', last_error = 'declined'
  where user_id = person and chat_id = chat and state = 'pending';
end;
$$;

create or replace function watch.start_in_chat(telegram_id bigint, metadata jsonb, chat_title text, url text, at timestamp with time zone, out outcome text, out person uuid, out search_id uuid, out free_at timestamp with time zone) returns record
  language plpgsql set search_path = ''
as $$
begin
  -- As private.enter_by_telegram: two presses at the same time make one account and count once.
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  person := (
    select known.user_id from watch.telegram_identities as known where known.telegram_id = start_in_chat.telegram_id
  );
  if person is null then
    select limits.outcome, limits.free_at into outcome, free_at
    from private.limit_accounts_in_chats(start_in_chat.telegram_id, at) as limits;
    if outcome is not null then
      return;
    end if;
    select entered.user_id into person from private.enter_by_telegram(start_in_chat.telegram_id, metadata) as entered;
  end if;
  perform private.lock_person(person);
  if exists (select from auth.users where id = person and banned_until > now()) then
    outcome := 'not-connected';
    return;
  end if;
  outcome := private.connect_own_chat(person, start_in_chat.telegram_id, chat_title);
  if outcome = 'connected' then
    select added.outcome, added.search_id into outcome, search_id
    from watch.add_search(person, start_in_chat.telegram_id, url) as added;
  end if;
end;
$$;

create or replace function watch.connect_own_account(telegram_id bigint, chat_title text) returns boolean
  language plpgsql set search_path = ''
as $$
declare
  me constant uuid := (
    select known.user_id from watch.telegram_identities as known
    join auth.users on users.id = known.user_id and (users.banned_until is null or users.banned_until <= now())
    where known.telegram_id = connect_own_account.telegram_id
  );
begin
  if me is null then
    return false;
  end if;
  perform private.lock_person(me);
  if exists (
    select from public.chats where user_id = me and chat_id = connect_own_account.telegram_id
  ) then
    return false;
  end if;
  return private.connect_own_chat(me, connect_own_account.telegram_id, chat_title) = 'connected';
end;
$$;

create or replace function watch.state_of_search(search uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', filters.id,
    'is_paused', filters.is_paused,
    'chats', watch.chat_counts(filters.user_id, filters.receiver_ids),
    'muted_until', watch.muted_until(search, filters.user_id, filters.receiver_ids),
    'is_held', exists (select from watch.pause),
    'problem', compiled.problem,
    'baseline_at', compiled.baseline_at,
    'interval_seconds', live.interval_seconds,
    'is_served_by_mail', watch.is_served_by_mail(filters.user_id),
    'spent_until', spent.until,
    'waits_until', (
      select waiting.until from watch.waiting_searches as waiting where waiting.search_id = search and waiting.until > now()
    ),
    -- Checks of the feed before the search joined it do not count.
    'last_ok_at', greatest(case when compiled.baseline_at is not null then feeds.last_ok_at end, compiled.checked_at),
    'next_check_at', live.next_check_at,
    -- A spent quota is no longer a failure in the next month.
    'failing_since', case when spent.is_over then null else live.failing_since end,
    'failure_reason', case when spent.is_over then null else live.failure_reason end,
    'failed_rounds', coalesce(live.failed_rounds, 0),
    'alerts', watch.alert_counts(filters.user_id, search),
    'last_find', watch.last_find_of(filters.user_id, search),
    'last_sent', (
      select jsonb_build_object('source', alerts.source, 'at', alerts.sent_at)
      from watch.alerts
      where alerts.user_id = filters.user_id and alerts.source is not null and alerts.sent_at is not null
        and search = any (alerts.search_ids)
      order by alerts.created_at desc, alerts.position desc limit 1
    ),
    'freshness', watch.freshness_of(filters.user_id),
    'latest_alerts', watch.latest_alerts_of(filters.user_id, search)
  )
  from public.searches as filters
  left join watch.compiled_searches as compiled on compiled.filter_id = filters.id and compiled.filter_url = filters.filter_url
  left join watch.feeds on feeds.key = compiled.feed_key
  left join watch.feeds as live on live.key = feeds.key and live.idle_since is null
  left join lateral (
    select coalesce(live.spent_until <= now(), false) as is_over,
      case when live.spent_until is null or live.spent_until > now() then coalesce(live.spent_until, watch.next_month()) end
        as until
    where live.failing_since is not null and live.failure_reason = 'quota-spent'
  ) as spent on true
  where filters.id = search;
$$;

create or replace view watch.confirmed_chats with (security_invoker = true) as
  select user_id, chat_id, created_at from public.chats
  where state = 'connected' and confirmed_at is not null
    and not exists (select from auth.users where id = user_id and banned_until > now());

-- What waits for an answer was set up before the proof: it ends as it would now.
do $$
declare
  person uuid;
begin
  for person in select user_id from private.held_setups order by user_id
  loop
    perform private.mail_of_ended_access(person, false);
    perform private.end_chats(person, array(select chat_id from public.chats where user_id = person), 'access-ended');
    delete from public.mail_addresses where user_id = person;
  end loop;
end;
$$;

drop function public.my_held_setup(), public.confirm_my_setup(), public.discard_my_setup();
drop function private.forget_setup(uuid), private.has_setup(uuid), watch.is_setup_held(uuid);
drop table private.held_setups;

revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
revoke execute on function public.describe_address_link(text), public.refuse_address(text) from public;
grant execute on function public.describe_address_link(text), public.refuse_address(text) to anon, authenticated;
