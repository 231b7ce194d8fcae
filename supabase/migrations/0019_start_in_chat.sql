-- Starting in the private chat with the bot, and what the owner of such an account does there without the website.

-- A token bucket of private.guard_allowances, with the row locked: when the next one is free. Not after `at` if it is now.
create function private.next_allowance(hash bytea, burst integer, every interval, at timestamptz) returns timestamptz
  language plpgsql set search_path = ''
as $$
declare
  kept private.guard_allowances;
  missing double precision;
begin
  insert into private.guard_allowances (key, tokens, refilled_at, full_at) values (hash, burst, at, at)
  on conflict (key) do nothing;
  select * into kept from private.guard_allowances where key = hash for update;
  missing := 1 - kept.tokens - greatest(0, extract(epoch from at - kept.refilled_at) / extract(epoch from every));
  return case when missing <= 0 then at else at + missing * every end;
end;
$$;

create function private.spend_allowance(hash bytea, burst integer, every interval, at timestamptz) returns void
  language sql set search_path = ''
as $$
  update private.guard_allowances as kept set
    tokens = left_over.tokens, refilled_at = greatest(kept.refilled_at, at),
    full_at = at + (burst - left_over.tokens) * every
  from (
    select least(
      burst, tokens + greatest(0, extract(epoch from at - refilled_at) / extract(epoch from every))
    ) - 1 as tokens
    from private.guard_allowances where key = hash
  ) as left_over
  where key = hash;
$$;

-- Keyed, so that a row does not reveal whose it is, and kept when the account is deleted.
create function private.hash_of_limit(limited text) returns bytea
  language plpgsql stable set search_path = ''
as $$
declare
  secret constant text := (
    select value from private.server_keys where name = 'hash_secret' and honoured_until is null
  );
begin
  if secret is null then
    raise exception 'There is no key for hashes: the embedded Supabase creates it';
  end if;
  return sha256(convert_to(secret || ' ' || limited || ' ' || secret, 'UTF8'));
end;
$$;

-- For the sign-in on the website: whether this Telegram user has an account or may make one now, which is then counted.
create function private.admit_telegram_account(telegram_id bigint, at timestamptz) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  own constant bytea := private.hash_of_limit('account of telegram ' || telegram_id);
begin
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  if exists (
    select from watch.telegram_identities as known where known.telegram_id = admit_telegram_account.telegram_id
  ) then
    return true;
  end if;
  if private.next_allowance(own, 2, '7 days', at) > at then
    return false;
  end if;
  perform private.spend_allowance(own, 2, '7 days', at);
  return true;
end;
$$;

-- One Telegram user: two accounts at once, then one a week. All chats together: thirty at once, then one every five
-- minutes, at most 42 in an hour and 318 in a day.
create function private.limit_accounts_in_chats(
  telegram_id bigint, at timestamptz, out outcome text, out free_at timestamptz
)
  language plpgsql set search_path = ''
as $$
declare
  own constant bytea := private.hash_of_limit('account of telegram ' || telegram_id);
  everyone constant bytea := private.hash_of_limit('accounts of all chats');
begin
  free_at := private.next_allowance(own, 2, '7 days', at);
  if free_at > at then
    outcome := 'slowed';
    return;
  end if;
  free_at := private.next_allowance(everyone, 30, '5 minutes', at);
  if free_at > at then
    outcome := 'busy';
    return;
  end if;
  perform private.spend_allowance(own, 2, '7 days', at);
  perform private.spend_allowance(everyone, 30, '5 minutes', at);
end;
$$;

create function watch.start_in_chat(
  telegram_id bigint, metadata jsonb, chat_title text, url text, at timestamptz,
  out outcome text, out person uuid, out search_id uuid, out free_at timestamptz
)
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
  if watch.is_setup_held(person) then
    outcome := 'held';
    return;
  end if;
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
comment on function watch.start_in_chat(bigint, jsonb, text, text, timestamptz) is
  'Watches a search for the owner of a private chat; makes the account and connects the chat if needed, or says when it can.';

-- For a person who signed in with Telegram on the website and then presses Start. A chat that was stopped or declined is asked
-- as any other.
create function watch.connect_own_account(telegram_id bigint, chat_title text) returns boolean
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
  if watch.is_setup_held(me) or exists (
    select from public.chats where user_id = me and chat_id = connect_own_account.telegram_id
  ) then
    return false;
  end if;
  return private.connect_own_chat(me, connect_own_account.telegram_id, chat_title) = 'connected';
end;
$$;
comment on function watch.connect_own_account(bigint, text) is
  'Connects a private chat to the account of its owner, if there is one that the chat has not met. Returns whether it did.';

-- Other accounts may use the chat, but only this one belongs to its owner: connecting a chat gives no rights over an account.
create function watch.own_account(chat bigint, out person uuid, out has_password boolean)
  language sql stable set search_path = ''
as $$
  select known.user_id, coalesce(users.encrypted_password, '') <> ''
  from watch.telegram_identities as known
  join watch.confirmed_chats as confirmed on confirmed.user_id = known.user_id and confirmed.chat_id = chat
  -- A suspended account must not be deleted and made again.
  join auth.users on users.id = known.user_id and (users.banned_until is null or users.banned_until <= now())
  where known.telegram_id = chat;
$$;
comment on function watch.own_account(bigint) is
  'The account that the owner of this private chat signs in to with Telegram, if the chat is connected to it.';

create function watch.export_own_account(chat bigint) returns jsonb
  language plpgsql set search_path = ''
as $$
declare
  former constant text := current_setting('request.jwt.claims', true);
  me constant uuid := (select person from watch.own_account(chat));
  exported jsonb;
begin
  if me is null then
    return null;
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', me)::text, true);
  exported := public.export_my_data();
  perform set_config('request.jwt.claims', coalesce(former, ''), true);
  return exported;
end;
$$;
comment on function watch.export_own_account(bigint) is 'What the website exports, for the chat''s own account.';

-- With a password, deletion asks for it, which a chat must not. So such an account is deleted on the website.
create function watch.delete_own_account(chat bigint) returns boolean
  language plpgsql set search_path = ''
as $$
declare
  me constant uuid := (select person from watch.own_account(chat) where not has_password);
begin
  if me is null then
    return false;
  end if;
  perform private.delete_account(me);
  return true;
end;
$$;
comment on function watch.delete_own_account(bigint) is 'Deletes the chat''s own account. Returns whether there was one.';

revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
