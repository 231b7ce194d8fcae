-- Accounts of people whom Telegram has authenticated, by its sign-in on the website or in the private chat with the bot.
-- Such an account has neither address nor password until its owner adds them.

-- The name is that of a custom provider on hosted Supabase, so that the website asks both backends in the same way. The
-- provider's id is the Bot API's user id, which is also the id of the private chat.
create view watch.telegram_identities with (security_invoker = true) as
  select user_id,
    -- On hosted Supabase the provider's id is the subject, which may be another number.
    case when provider_id ~ '^[1-9][0-9]{0,15}$' then provider_id::bigint end as telegram_id,
    created_at
  from auth.identities where provider = 'custom:telegram';
comment on view watch.telegram_identities is 'Which accounts Telegram users can sign in to; one for each of them.';

create function private.enter_by_telegram(
  telegram_id bigint, metadata jsonb, out user_id uuid, out is_new boolean
)
  language plpgsql security definer set search_path = ''
as $$
declare
  telegram constant text := 'custom:telegram';
begin
  -- Two sign-ins at the same time make one account.
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  update auth.identities as known set identity_data = metadata, last_sign_in_at = now(), updated_at = now()
  where provider = telegram and provider_id = telegram_id::text
  returning known.user_id into user_id;
  is_new := not found;
  if not is_new then
    return;
  end if;
  insert into auth.users (raw_app_meta_data, raw_user_meta_data)
  values (jsonb_build_object('provider', telegram, 'providers', jsonb_build_array(telegram)), metadata)
  returning id into user_id;
  insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
  values (user_id, telegram, telegram_id::text, metadata, now());
end;
$$;
comment on function private.enter_by_telegram(bigint, jsonb) is
  'Finds or creates the account of a Telegram user who has just been authenticated. The only way such an account is made.';

-- The owner of an identity owns its private chat, so that no question is asked.
create function private.connect_own_chat(person uuid, chat bigint, chat_title text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  outcome text;
begin
  insert into watch.chats as known (chat_id, kind, title, standing) values (chat, 'private', chat_title, 'ok')
  on conflict (chat_id) do update set kind = 'private', title = excluded.title, standing = 'ok', closed_reason = null;
  perform private.lock_person_and_chat(person, chat);
  outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
  if outcome = 'connected' then
    perform private.connect_chat(person, chat, 'private', chat_title, true, null);
    update watch.chat_questions set is_own = true where user_id = person and chat_id = chat;
  end if;
  return outcome;
end;
$$;
comment on function private.connect_own_chat(uuid, bigint, text) is
  'Connects and confirms the private chat of a Telegram user who agreed to it; or chat-full, person-full.';

-- The website signs people in by it, each time with Telegram's consent that the bot may write. Only the first time connects
-- the chat: one that its owner has stopped, blocked or removed since then stays as it is.
create function private.connect_chat_at_sign_in(person uuid, chat bigint, chat_title text) returns text
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from public.chats where user_id = person and chat_id = chat and state in ('connected', 'declined', 'blocked')
  ) or exists (
    select from watch.chat_questions where user_id = person and chat_id = chat and answer is not null
  ) then
    return 'decided';
  end if;
  return private.connect_own_chat(person, chat, chat_title);
end;
$$;
comment on function private.connect_chat_at_sign_in(uuid, bigint, text) is
  'Connects the private chat of a person who signs in with Telegram, unless they decided about it before.';

revoke execute on all functions in schema private from public;
