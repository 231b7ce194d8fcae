-- Names a newcomer would search for; and the rule of consent, which chats may be told and who is asked, wholly here: our own
-- processes call it, and what people save through the API meets it in the triggers of their filter.

-- Migrations run before anyone is served, so nobody waits for these checks and nobody holds on to a former name.
alter table watch.alerts drop constraint alerts_kind_check;
update watch.alerts set kind = case kind
    when 'begun' then 'watch-started' when 'blind' then 'source-down' else 'source-up' end
where kind in ('begun', 'blind', 'sight');
-- squawk-ignore constraint-missing-not-valid
alter table watch.alerts add constraint alerts_kind_check check (
  kind in (
    'new', 'price-drop', 'back', 'readvertised', 'gone', 'watch-started', 'source-down', 'source-up', 'question',
    'connected', 'test'
  )
);

-- The chats to be told of a deleted account, by the name of what they are told.
-- squawk-ignore renaming-table
alter table watch.farewells rename to deletion_notices;
alter trigger farewells_are_announced on watch.deletion_notices rename to deletion_notices_are_announced;

-- Before the account goes, for its rows say which chats were its own.
create or replace function private.take_leave_of_chats() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Every chat it ever had to do with; those it took out of its list may be known through it alone.
  met constant bigint[] := array(
    select chat_id from public.chats where user_id = old.id
    union select chat_id from watch.chat_questions where user_id = old.id
    union select chat_id from watch.alerts where user_id = old.id
    union select chat_id from watch.link_tokens where user_id = old.id and chat_id is not null
  );
  forgotten bigint[];
begin
  insert into watch.deletion_notices (chat_id, language)
  select chats.chat_id, private.language_of_chat(known.language, profiles.language, known.telegram_language)
  from public.chats
  left join watch.chats as known on known.chat_id = chats.chat_id
  left join public.profiles on profiles.id = chats.user_id
  where chats.user_id = old.id and chats.state = 'connected'
  order by chats.chat_id
  on conflict (chat_id) do nothing;

  perform from watch.chats where chat_id = any (met) order by chat_id for update;
  delete from public.chats where user_id = old.id;

  forgotten := array(
    select id from unnest(met) as id where not exists (select from public.chats where chats.chat_id = id)
  );
  delete from watch.chats where chat_id = any (forgotten);
  delete from watch.chat_paces where chat_id = any (forgotten);
  delete from watch.moved_chats where from_chat_id = any (forgotten);
  update watch.link_tokens set chat_id = null where chat_id = any (forgotten);

  -- Others may have typed the id of a chat that never said a word about them: the bare id is theirs, its name is not.
  update watch.chats set kind = null, title = null, language = null, telegram_language = null, asked_id_at = null,
    muted_until = null
  where chat_id = any (met) and not exists (
    select from public.chats where chats.chat_id = watch.chats.chat_id and chats.state not in ('waiting', 'declined')
  );

  -- A feed that answers a link of theirs alone spells that link out. One that is being checked goes when it has idled.
  delete from watch.feeds where key in (
    select feeds.key from watch.feeds
    where feeds.source = 'by-url'
      and exists (select from watch.searches where searches.feed_key = feeds.key and searches.user_id = old.id)
      and not exists (select from watch.searches where searches.feed_key = feeds.key and searches.user_id <> old.id)
      and not exists (select from watch.demo_filters where demo_filters.feed_key = feeds.key)
    for update skip locked
  );
  return old;
end;
$$;

-- The latest message in recent_ms says when a burst may be sent again.
-- squawk-ignore ban-drop-column
alter table watch.chat_paces drop column whole_at;
-- squawk-ignore renaming-column
alter table watch.chat_paces rename column caution to slowdown;
-- squawk-ignore renaming-column
alter table watch.sender rename column caution to slowdown;

-- Whether an alert may go to a person's chat. Nobody tells a bot that it may speak again: a chat without rights is tried.
create function watch.may_be_told(alert_kind text, chat_state text, chat_reason text, question_answer text) returns boolean
  language sql immutable set search_path = ''
as $$
  select coalesce(
    case alert_kind
      when 'question' then chat_state = 'waiting' and question_answer is null
      else chat_state = 'connected' or (chat_state = 'unreachable' and chat_reason = 'no-rights')
    end,
    false
  );
$$;

comment on function watch.may_be_told(text, text, text, text) is
  'Whether an alert may go to a chat, by what that chat is to the person and what it said of them.';

-- The first limit that one more chat of this person, or one more person of this chat, would break.
create function private.limit_of_chats(person uuid, chat bigint) returns text
  language sql stable set search_path = ''
as $$
  select case
    when (
      select count(*) from public.chats where chat_id = chat and user_id <> person and state = 'connected'
    ) >= 5 then 'chat-full'
    when (
      select count(*) from (
        select chat_id from public.chats where user_id = person
        union
        select unnest(receiver_ids)::bigint from public.filter_settings where user_id = person
      ) as held (id) where id <> chat
    ) >= 10 then 'person-full'
  end;
$$;

-- What the chat said of the person; null takes a former no back. What is on its way to be asked need not go out.
create function private.note_answer(person uuid, chat bigint, said text) returns void
  language sql volatile set search_path = ''
as $$
  -- Where nobody was asked, an answer is kept without counting as a question.
  insert into watch.chat_questions (user_id, chat_id, asked_at, answer)
  select person, chat, 'epoch', said where said is not null
  on conflict (user_id, chat_id) do update set answer = excluded.answer;

  update watch.chat_questions set answer = null
  where said is null and user_id = person and chat_id = chat and answer = 'no';

  update watch.alerts set state = 'merged'
  where user_id = person and chat_id = chat and kind in ('question', 'connected') and state = 'pending';
$$;

-- The name is told once the chat has said that the account is its own.
create function private.connect_chat(
  person uuid, chat bigint, chat_kind text, chat_title text, is_confirmed boolean
) returns void
  language plpgsql volatile set search_path = ''
as $$
begin
  -- The row comes first: a change of the list asks about every chat that has none.
  insert into public.chats as known (user_id, chat_id, state, confirmed_at)
  values (person, chat, 'connected', case when is_confirmed then now() end)
  on conflict (user_id, chat_id) do update set
    state = 'connected', reason = null, confirmed_at = coalesce(known.confirmed_at, excluded.confirmed_at);
  update public.chats set kind = chat_kind, title = chat_title
  where user_id = person and chat_id = chat and confirmed_at is not null;
  update public.filter_settings set receiver_ids = array_append(receiver_ids, chat::text)
  where user_id = person and not (chat::text = any (receiver_ids));
  perform private.note_answer(person, chat, case when is_confirmed then 'yes' end);
end;
$$;

-- In the order in which saving a filter locks, or the two could wait for each other.
create function private.lock_person_and_chat(person uuid, chat bigint) returns void
  language plpgsql volatile set search_path = ''
as $$
begin
  perform from public.filter_settings where user_id = person for update;
  perform from watch.chats where chat_id = chat for update;
end;
$$;

-- A refusal for want of room leaves the token as it was, to be tried again.
create function watch.connect_by_link(
  hash bytea, chat bigint, chat_kind text, chat_title text,
  out outcome text, out person uuid, out email text, out is_confirmed boolean, out has_filter boolean
)
  language plpgsql volatile set search_path = ''
as $$
declare
  link watch.link_tokens;
  was_connected boolean;
begin
  select * into link from watch.link_tokens where token_hash = hash for update;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  person := link.user_id;
  if link.used_at is null and link.expires_at <= now() then
    outcome := 'expired';
    return;
  end if;
  if link.used_at is null then
    perform private.lock_person_and_chat(person, chat);
  end if;
  was_connected := exists (
    select from public.chats where user_id = person and chat_id = chat and state = 'connected'
  );
  if link.used_at is not null then
    -- Told again to the chat it connected, and to no other.
    outcome := case when was_connected and link.chat_id = chat then 'already-connected' else 'used' end;
  else
    outcome := coalesce(
      private.limit_of_chats(person, chat), case when was_connected then 'already-connected' else 'connected' end
    );
    if outcome in ('connected', 'already-connected') then
      update watch.link_tokens set used_at = now(), chat_id = chat where token_hash = hash;
      -- Who brings the bot into a group of theirs has said yes by that; a private chat has only followed a link.
      perform private.connect_chat(person, chat, chat_kind, chat_title, chat_kind <> 'private');
    end if;
  end if;
  email := private.masked_email(person);
  has_filter := exists (select from public.filter_settings where user_id = person);
  is_confirmed := exists (
    select from public.chats where user_id = person and chat_id = chat and confirmed_at is not null
  );
end;
$$;

comment on function watch.connect_by_link(bytea, bigint, text, text) is
  'Connects the chat that pressed Start with this token to the person who made it, or says why not.';

-- Yes and no answer whether alerts may come; me and not-me say of alerts that come whose they are. Nobody can answer what was
-- not asked; a person whose alerts come by a link alone was named when they began.
create function watch.answer_question(
  person uuid, chat bigint, said text, chat_kind text, chat_title text, out outcome text, out email text
)
  language plpgsql volatile set search_path = ''
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
  if said in ('yes', 'me') then
    outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
    if outcome = 'connected' then
      perform private.connect_chat(person, chat, chat_kind, chat_title, true);
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

comment on function watch.answer_question(uuid, bigint, text, text, text) is
  'What a chat says of a person whose alerts come, or want to come: yes, no, me or not-me.';

-- The ids stay in people's lists, where the page shows why; typing one again does not bring the alerts back, only the chat can.
create function watch.stop_chat(chat bigint) returns integer
  language plpgsql volatile set search_path = ''
as $$
declare
  stopped integer;
begin
  update watch.chats set asked_id_at = null, muted_until = null where chat_id = chat;
  update public.chats set state = 'declined', reason = 'stopped' where chat_id = chat and state <> 'declined';
  get diagnostics stopped = row_count;
  insert into watch.chat_questions (user_id, chat_id, asked_at, answer)
  select user_id, chat_id, 'epoch', 'no' from public.chats where chat_id = chat and reason = 'stopped'
  on conflict (user_id, chat_id) do update set answer = 'no';
  update watch.alerts set state = 'undeliverable', last_error = 'stopped' where chat_id = chat and state = 'pending';
  return stopped;
end;
$$;

comment on function watch.stop_chat(bigint) is 'Nobody''s alerts come to the chat any more; for how many people that is news.';

-- Who waits for the chat's yes, or was stopped: when it speaks up, it may be asked. Nobody while it has no room.
create function watch.people_to_ask_about(chat bigint) returns table (user_id uuid, email text)
  language sql stable set search_path = ''
as $$
  select chats.user_id, private.masked_email(chats.user_id)
  from public.chats left join watch.chat_questions as asked using (user_id, chat_id)
  where chat_id = chat and (chats.state = 'waiting' and asked.answer is null or chats.reason = 'stopped')
    and 5 > (select count(*) from public.chats as held where held.chat_id = chat and held.state = 'connected')
  order by chats.created_at, chats.user_id limit 5;
$$;

comment on function watch.people_to_ask_about(bigint) is 'Whose alerts wait for a word of the chat.';

-- PostgreSQL lets everyone execute a new function; what is not granted by name is not granted.
revoke execute on all functions in schema watch from public;
revoke execute on function private.limit_of_chats(uuid, bigint) from public;
revoke execute on function private.note_answer(uuid, bigint, text) from public;
revoke execute on function private.connect_chat(uuid, bigint, text, text, boolean) from public;
revoke execute on function private.lock_person_and_chat(uuid, bigint) from public;
