-- A link of an account's own website session is confirmed by its use, where Telegram has said that the account is this user's.
-- Anybody else who presses Start may only have been sent the link, so they are asked (DOOR-05).
create or replace function watch.connect_by_link(
  hash bytea, chat bigint, chat_kind text, chat_title text,
  out outcome text, out person uuid, out account text, out is_confirmed boolean, out has_filter boolean
)
  language plpgsql set search_path = ''
as $$
declare
  link watch.link_tokens;
  was_connected boolean;
  is_own boolean;
begin
  person := (select user_id from watch.link_tokens where token_hash = hash);
  if person is not null then
    perform private.lock_person_and_chat(person, chat);
  end if;
  select * into link from watch.link_tokens where token_hash = hash for update;
  if not found or private.is_suspended(link.user_id) then
    outcome := 'unknown';
    person := null;
    return;
  end if;
  if link.used_at is null and link.expires_at <= now() then
    outcome := 'expired';
    return;
  end if;
  was_connected := exists (
    select from public.chats where user_id = person and chat_id = chat and state = 'connected'
  );
  if link.used_at is not null then
    -- Only the chat connected by this link may learn that.
    outcome := case when was_connected and link.chat_id = chat then 'already-connected' else 'used' end;
  else
    outcome := coalesce(
      private.limit_of_chats(person, chat), case when was_connected then 'already-connected' else 'connected' end
    );
    if outcome in ('connected', 'already-connected') then
      is_own := chat_kind = 'private' and exists (
        select from watch.telegram_identities as known where known.user_id = person and known.telegram_id = chat
      );
      update watch.link_tokens set used_at = now(), chat_id = chat where token_hash = hash;
      -- Adding the bot to a group is consent; a private chat of anybody else has only followed a link.
      perform private.connect_chat(
        person, chat, chat_kind, chat_title, is_own or chat_kind <> 'private', link.search_id
      );
      if is_own then
        update watch.chat_questions set is_own = true where user_id = person and chat_id = chat;
      end if;
    end if;
  end if;
  account := private.account_in_chat(person, chat);
  has_filter := exists (select from public.searches where user_id = person);
  is_confirmed := exists (
    select from public.chats where user_id = person and chat_id = chat and confirmed_at is not null
  );
end;
$$;
