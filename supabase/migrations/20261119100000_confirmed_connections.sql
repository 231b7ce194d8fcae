-- A chat reads and writes an account only after it confirmed the account ("That's me", or Yes). Until then anyone who typed the
-- chat's id would read what the chat says, and the chat would read whatever account its id was typed into.

create view watch.confirmed_chats with (security_invoker = true) as
  select user_id, chat_id, created_at from public.chats where state = 'connected' and confirmed_at is not null;

comment on view watch.confirmed_chats is 'Which chats may read and write which accounts.';

-- What a chat asked for while several of its accounts could be meant, until it says which. The bot keeps the latest three of a
-- chat for an hour.
create table watch.account_questions (
  id uuid primary key default gen_random_uuid(),
  chat_id bigint not null references watch.chats (chat_id) on delete cascade,
  -- ChatRequest in src/store/chats/account-questions.ts.
  request jsonb not null check (octet_length(request::text) <= 16384),
  asked_at timestamptz not null
);
create index account_questions_of_a_chat on watch.account_questions (chat_id, asked_at);

comment on table watch.account_questions is 'What a chat asked for, until it says for which of its accounts.';

create or replace function watch.add_search(person uuid, chat bigint, url text, out outcome text, out search_id uuid)
 returns record
 language plpgsql
 set search_path = ''
as $$
declare
  first_one public.filter_settings;
  chats text[];
begin
  perform private.lock_person_and_chat(person, chat);
  if not exists (select from watch.confirmed_chats where user_id = person and chat_id = chat) then
    outcome := 'not-connected';
    return;
  end if;
  select id into search_id from watch.saved_searches
  where user_id = person and filter_url = url order by is_first desc, created_at limit 1;
  if found then
    outcome := 'same';
    return;
  end if;
  if (select count(*) from watch.saved_searches where user_id = person) >= 10 then
    outcome := 'too-many-searches';
    return;
  end if;
  select * into first_one from public.filter_settings where user_id = person;
  -- Before the first search, chats that connected themselves stand alone.
  chats := coalesce(first_one.receiver_ids, array(
    select chat_id::text from public.chats where user_id = person and state = 'connected' order by created_at
  ));
  if not (chat::text = any (chats)) then
    chats := chats || chat::text;
  end if;
  outcome := 'added';
  if first_one.id is null then
    insert into public.filter_settings (user_id, filter_url, receiver_ids) values (person, url, chats)
    returning id into search_id;
  else
    insert into public.other_searches (user_id, filter_url, receiver_ids, quiet_from, quiet_until)
    values (person, url, chats, first_one.quiet_from, first_one.quiet_until) returning id into search_id;
  end if;
end;
$$;
