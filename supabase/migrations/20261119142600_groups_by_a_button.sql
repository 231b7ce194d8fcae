-- Connects a group or channel to the account of the administrator who pressed the button: the one that their private chat, whose
-- id is theirs, has confirmed. Of several it is the one that they sign in to with Telegram.
create function watch.connect_group(
  presser bigint, chat bigint, chat_kind text, chat_title text, out outcome text, out account text
)
  language plpgsql set search_path = ''
as $$
declare
  known constant uuid[] := array(select user_id from watch.confirmed_chats where chat_id = presser);
  me constant uuid := coalesce(
    (select own.person from watch.own_account(presser) as own), case when cardinality(known) = 1 then known[1] end
  );
begin
  if me is null then
    outcome := case when cardinality(known) = 0 then 'nobody' else 'several' end;
    return;
  end if;
  perform private.lock_person_and_chat(me, chat);
  if not exists (select from watch.confirmed_chats where user_id = me and chat_id = presser) then
    outcome := 'nobody';
    return;
  end if;
  outcome := coalesce(private.limit_of_chats(me, chat), 'connected');
  if outcome = 'connected' then
    perform private.connect_chat(me, chat, chat_kind, chat_title, true, null);
  end if;
  account := private.account_in_chat(me, chat);
end;
$$;
