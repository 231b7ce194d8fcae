-- Telegram as a further way to sign in to an account. If that Telegram user has an account already, the two can be
-- joined: the person has proved the one by a password or a recent sign-in, and the other by Telegram's sign-in.

create table private.telegram_links (
  session_id uuid primary key references auth.sessions (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  allowed_at timestamptz not null default now(),
  -- The account of the Telegram user who signed in, if it is another one.
  other_id uuid references auth.users (id) on delete cascade,
  offered_at timestamptz
);
comment on table private.telegram_links is
  'Sessions that may link a Telegram user within ten minutes, and the account that they may join then.';
create index telegram_links_of_a_person on private.telegram_links (user_id);
create index telegram_links_of_the_other on private.telegram_links (other_id);
alter table private.telegram_links enable row level security;
revoke all on private.telegram_links from public, anon, authenticated;

-- A stolen access token must not add a sign-in of its own, so this requires what a deletion requires.
create function public.allow_telegram_link(current_password text default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
begin
  perform private.require_proof(session, me);
  insert into private.telegram_links as link (session_id, user_id) values (session, me)
  on conflict (session_id) do update set allowed_at = now(), other_id = null, offered_at = null;
end;
$$;
comment on function public.allow_telegram_link(text) is
  'Lets the caller''s session link a Telegram user within ten minutes; requires the current password, or a recent sign-in.';

-- linked, has-another (the account has a different Telegram user), other-account (a join is offered), not-allowed.
create function private.link_telegram(person uuid, session uuid, telegram_id bigint, metadata jsonb) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  telegram constant text := 'custom:telegram';
  owner uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  perform from private.telegram_links as link
  where link.session_id = session and link.user_id = person and link.allowed_at > now() - interval '10 minutes'
  for update;
  if not found then
    return 'not-allowed';
  end if;
  select user_id into owner from auth.identities where provider = telegram and provider_id = telegram_id::text;
  if owner = person then
    return 'linked';
  end if;
  if exists (select from auth.identities where user_id = person and provider = telegram) then
    return 'has-another';
  end if;
  if owner is not null then
    update private.telegram_links set other_id = owner, offered_at = now() where session_id = session;
    return 'other-account';
  end if;
  insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
  values (person, telegram, telegram_id::text, metadata, now());
  perform private.follow_identities(person);
  delete from private.telegram_links where session_id = session;
  insert into private.account_mails (kind, user_id) values ('telegram-linked', person);
  perform private.note_security_event(person, 'telegram_linked', null, null, 1, now());
  return 'linked';
end;
$$;
comment on function private.link_telegram(uuid, uuid, bigint, jsonb) is
  'Adds the Telegram user who has just signed in to the account of a session that may do so, or offers to join the two.';

create function private.follow_identities(person uuid) returns void
  language sql set search_path = ''
as $$
  update auth.users set raw_app_meta_data = private.metadata_of(raw_app_meta_data) || jsonb_build_object('providers', (
    select jsonb_agg(distinct provider) from auth.identities where user_id = person
  ))
  where id = person;
$$;

-- The sessions of everybody who could sign in with Telegram end. The account keeps another way in.
create function public.unlink_telegram(current_password text default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
begin
  perform private.require_proof(session, me);
  if not exists (select from auth.users where id = me and coalesce(encrypted_password, '') <> '')
    and not exists (select from auth.identities where user_id = me and provider = 'google') then
    raise exception 'Telegram is the only way in to this account' using errcode = 'PT409', detail = 'only-sign-in';
  end if;
  delete from auth.identities where user_id = me and provider = 'custom:telegram';
  if found then
    perform private.follow_identities(me);
    delete from auth.sessions where user_id = me and id <> session;
    insert into private.account_mails (kind, user_id) values ('telegram-unlinked', me);
    perform private.note_security_event(me, 'telegram_unlinked', null, null, 1, now());
  end if;
end;
$$;
comment on function public.unlink_telegram(text) is
  'Removes the Telegram user who can sign in to the caller''s account; requires the current password, or a recent sign-in.';

create function private.offered_account(session uuid, person uuid) returns uuid
  language sql stable security definer set search_path = ''
as $$
  select other_id from private.telegram_links
  where session_id = session and user_id = person and least(allowed_at, offered_at) > now() - interval '10 minutes';
$$;

-- How many of the other account's searches arrive paused: more than ten together are not watched.
create function private.searches_over_limit(person uuid, other uuid) returns integer
  language sql stable set search_path = ''
as $$
  select greatest(
    (select count(*) from public.searches where user_id in (person, other) and not is_paused)::integer - 10, 0
  );
$$;

create function public.my_join_offer() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'full_name', profiles.full_name,
    'email', profiles.email,
    'searches', (select count(*) from public.searches where user_id = profiles.id),
    'paused_searches', private.searches_over_limit((select auth.uid()), profiles.id),
    'chats', (select count(*) from public.chats where user_id = profiles.id),
    'marks', (
      select count(distinct home.home_id) from public.marks cross join watch.home_of(marks.listing_id) as home
      where marks.user_id = profiles.id
    ),
    'ends_mail_address', 2 = (
      select count(*) from public.mail_addresses where user_id in ((select auth.uid()), profiles.id)
    )
  )
  from public.profiles
  where id = private.offered_account((select (auth.jwt() ->> 'session_id')::uuid), (select auth.uid()));
$$;
comment on function public.my_join_offer() is 'What the account has that the caller may join to their own; null if there is none.';

create function public.join_my_accounts() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
  other uuid;
begin
  -- In the order of their ids: two people who join each other's accounts do not deadlock.
  perform private.lock_person(id) from (
    select unnest(array[me, private.offered_account(session, me)]) as id order by id
  ) as both_accounts where id is not null;
  other := private.offered_account(session, me);
  if other is null then
    raise exception 'There is no account to join; sign in with Telegram again'
      using errcode = 'PT404', detail = 'no-join-offer';
  end if;
  if exists (select from private.held_setups where user_id in (me, other))
    or exists (select from auth.users where id = other and banned_until > now()) then
    raise exception 'One of the accounts waits for a decision' using errcode = 'PT409', detail = 'account-held';
  end if;
  perform private.join_accounts(me, other);
end;
$$;
comment on function public.join_my_accounts() is
  'Moves everything of the offered account to the caller''s and deletes it, in one transaction.';

create function private.join_accounts(person uuid, other uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  former record;
begin
  select users.email, coalesce(profiles.language, private.language_of(users.raw_user_meta_data)) as language into former
  from auth.users left join public.profiles using (id) where id = other;
  perform private.move_searches(person, other);
  perform private.move_chats(person, other);
  perform private.move_finds(person, other);
  perform private.move_mails(person, other);
  update private.security_events set user_id = person where user_id = other;
  update private.account_mails set user_id = person where user_id = other;
  update public.profiles set language = coalesce(language, former.language) where id = person;

  update auth.identities set user_id = person where user_id = other and provider = 'custom:telegram';
  perform private.follow_identities(person);
  insert into private.account_mails (kind, user_id) values ('accounts-joined', person);
  perform private.write_notice(person, '{"notice": "accounts-joined"}');
  if former.email <> '' then
    insert into private.account_mails (kind, email, language) values ('accounts-joined', former.email, former.language);
    -- Its owner gets the notice of the join, and not the one of the deletion.
    update auth.users set email = null where id = other;
  end if;
  perform private.note_security_event(person, 'accounts_joined', null, null, 1, now());
  -- A chat of both accounts must not read that one was deleted.
  delete from public.chats where user_id = other;
  perform private.delete_account(other);
end;
$$;

-- A search keeps its id, so that finds, alerts and topics stay with it.
create function private.move_searches(person uuid, other uuid) returns void
  language plpgsql set search_path = ''
as $$
declare
  is_first_free constant boolean := not exists (select from public.searches where first_of = person);
begin
  update public.searches set is_paused = true where id in (
    select id from public.searches where user_id = other and not is_paused order by is_first, created_at desc, id
    limit private.searches_over_limit(person, other)
  );
  update public.searches set user_id = person,
    first_of = case when is_first_free and is_first then person end
  where user_id = other;
  update watch.compiled_searches set user_id = person where user_id = other;
  update watch.waiting_searches set user_id = person where user_id = other;
  perform pg_notify('filters', id::text) from public.searches where user_id = person;
end;
$$;

-- Joined accounts may have more than ten searches, of which ten run. The page says so; "resume all" in the chat
-- resumes what it may.
create function private.limit_running_searches() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.is_paused or not old.is_paused then
    return new;
  end if;
  perform private.lock_person(new.user_id);
  if (select count(*) from public.searches where user_id = new.user_id and id <> new.id and not is_paused) < 10 then
    return new;
  end if;
  if (select auth.uid()) is not null then
    raise exception 'Ten searches are enough for one person' using errcode = 'PT409', detail = 'too-many-searches';
  end if;
  new.is_paused := true;
  return new;
end;
$$;

create trigger searches_3_limit_running before update of is_paused on public.searches
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.limit_running_searches();

create function private.move_chats(person uuid, other uuid) returns void
  language plpgsql set search_path = ''
as $$
begin
  update public.chats as mine set
    state = 'connected', reason = null, kind = theirs.kind, title = theirs.title, confirmed_at = theirs.confirmed_at
  from public.chats as theirs
  where mine.user_id = person and theirs.user_id = other and mine.chat_id = theirs.chat_id
    and theirs.state = 'connected' and (mine.state <> 'connected' or mine.confirmed_at is null);
  update public.chats as theirs set user_id = person
  where user_id = other
    and not exists (select from public.chats as mine where mine.user_id = person and mine.chat_id = theirs.chat_id);
  update watch.chat_questions as mine set
    answer = case when 'yes' in (mine.answer, theirs.answer) then 'yes' else coalesce(mine.answer, theirs.answer) end,
    is_own = mine.is_own or theirs.is_own
  from watch.chat_questions as theirs
  where mine.user_id = person and theirs.user_id = other and mine.chat_id = theirs.chat_id;
  update watch.chat_questions as theirs set user_id = person
  where user_id = other
    and not exists (select from watch.chat_questions as mine where mine.user_id = person and mine.chat_id = theirs.chat_id);
  update watch.link_tokens set user_id = person where user_id = other and used_at is not null;

  -- An alert that both have is sent once; one that could not be sent gives way to one that can.
  delete from watch.alerts as mine using watch.alerts as theirs
  where mine.user_id = person and theirs.user_id = other and mine.chat_id = theirs.chat_id
    and mine.listing_id is not distinct from theirs.listing_id
    and (
      mine.kind = theirs.kind and mine.event_key = theirs.event_key
      or mine.kind in ('new', 'readvertised') and theirs.kind in ('new', 'readvertised')
    )
    and mine.state not in ('pending', 'sending', 'sent') and theirs.state in ('pending', 'sending', 'sent');
  update watch.alerts as theirs set user_id = person
  where user_id = other and not exists (
    select from watch.alerts as mine
    where mine.user_id = person and mine.chat_id = theirs.chat_id
      and mine.listing_id is not distinct from theirs.listing_id
      and (
        mine.kind = theirs.kind and mine.event_key = theirs.event_key
        or mine.kind in ('new', 'readvertised') and theirs.kind in ('new', 'readvertised')
      )
  );
end;
$$;

create function private.move_finds(person uuid, other uuid) returns void
  language plpgsql set search_path = ''
as $$
begin
  insert into public.listings as mine (listing_id, user_id, created_at, details, search_ids)
  select listing_id, person, created_at, details, search_ids from public.listings where user_id = other
  on conflict (user_id, listing_id) do update set
    created_at = least(mine.created_at, excluded.created_at),
    search_ids = array(select distinct unnest(mine.search_ids || excluded.search_ids));
  insert into public.left_outs (user_id, listing_id, search_id, rule, payload, left_out_at, returned_at)
  select person, listing_id, search_id, rule, payload, left_out_at, returned_at from public.left_outs where user_id = other
  on conflict do nothing;
  update watch.mail_listings as theirs set user_id = person
  where user_id = other and not exists (
    select from watch.mail_listings as mine where mine.user_id = person and mine.listing_id = theirs.listing_id
  );

  update public.marks as mine set
    mark = coalesce(mine.mark, theirs.mark),
    note = left(nullif(concat_ws(E'\n', mine.note, nullif(theirs.note, mine.note)), ''), 2000)
  from public.marks as theirs
  where mine.user_id = person and theirs.user_id = other and mine.listing_id = theirs.listing_id;
  update public.marks as theirs set user_id = person
  where user_id = other
    and not exists (select from public.marks as mine where mine.user_id = person and mine.listing_id = theirs.listing_id);

  update public.own_places set user_id = person where user_id = other;
  update public.find_settings as mine set
    who = coalesce(mine.who, theirs.who), job = coalesce(mine.job, theirs.job),
    moving_from = coalesce(mine.moving_from, theirs.moving_from), about = coalesce(mine.about, theirs.about)
  from public.find_settings as theirs where mine.user_id = person and theirs.user_id = other;
  update public.find_settings set user_id = person
  where user_id = other and not exists (select from public.find_settings where user_id = person);
end;
$$;

-- An account has one address for alert mails: the other's moves if there is none, and ends otherwise.
create function private.move_mails(person uuid, other uuid) returns void
  language plpgsql set search_path = ''
as $$
begin
  update public.mail_addresses set user_id = person
  where user_id = other and not exists (select from public.mail_addresses where user_id = person);
  update watch.mailboxes set user_id = person
  where user_id = other and not exists (select from watch.mailboxes where user_id = person);
  update public.received_mails set user_id = person where user_id = other;
  update watch.mails as theirs set user_id = person
  where user_id = other
    and not exists (select from watch.mails as mine where mine.user_id = person and mine.digest = theirs.digest);
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.allow_telegram_link(text), public.unlink_telegram(text), public.my_join_offer(),
  public.join_my_accounts() from public, anon;
grant execute on function public.allow_telegram_link(text), public.unlink_telegram(text), public.my_join_offer(),
  public.join_my_accounts() to authenticated;
