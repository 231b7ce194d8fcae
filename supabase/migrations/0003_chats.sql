-- Telegram chats: what the bot knows about each, and which of them notify a person.

create table watch.chats (
  chat_id bigint primary key,
  -- Null until the bot has received an update from the chat.
  kind text check (kind in ('private', 'group', 'supergroup', 'channel')),
  title text check (char_length(title) <= 300),
  -- The chat's own choice; the language that Telegram reports for the last writer, if we support it; and the language
  -- last used, for a chat without a reported one.
  language text check (language ~ '^[a-z]{2}$'),
  telegram_language text check (telegram_language ~ '^[a-z]{2}$'),
  last_language text check (last_language ~ '^[a-z]{2}$'),
  standing text not null default 'unknown' check (standing in ('unknown', 'ok', 'blocked', 'unreachable')),
  -- Why the chat cannot be reached.
  closed_reason text check (
    closed_reason in ('not-started', 'not-found', 'deactivated', 'kicked', 'left', 'deleted', 'no-rights', 'blocked')
  ),
  -- When the chat itself last asked for its id: an id typed soon after is trusted.
  asked_id_at timestamptz,
  -- Alerts wait until then: "mute 8 h", or infinity for a paused group.
  muted_until timestamptz,
  created_at timestamptz not null default now()
);
comment on table watch.chats is 'Every Telegram chat that the bot has met or somebody has added, and whether it can be reached.';

create table public.chats (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_id bigint not null,
  kind text check (kind in ('private', 'group', 'supergroup', 'channel')),
  title text check (char_length(title) <= 300),
  state text not null check (state in ('waiting', 'connected', 'declined', 'blocked', 'unreachable')),
  reason text check (
    reason in (
      'full', 'too-many-questions', 'not-started', 'not-found', 'deactivated', 'kicked', 'left', 'deleted', 'no-rights',
      'blocked', 'said-no', 'stopped'
    )
  ),
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, chat_id),
  constraint a_name_needs_a_yes check (confirmed_at is not null or (title is null and kind is null))
);
comment on table public.chats is
  'The chats that a person''s searches notify, each with its state, which bot and sender update.';
comment on column public.chats.confirmed_at is
  'When the chat confirmed that this account is its own; before that the account does not learn its name and kind.';
create index chats_by_chat on public.chats (chat_id);

create trigger chats_touch_updated_at
  before update on public.chats
  for each row execute function private.touch_updated_at();

alter table public.chats enable row level security;
revoke all on public.chats from anon, authenticated;
grant select on public.chats to authenticated;

create policy "People read their own chats" on public.chats
  for select to authenticated using ((select auth.uid()) = user_id);

alter publication supabase_realtime add table public.chats;

-- A chat that connects itself during the first save would otherwise be missing from that search's list. If there is a
-- first search, its row is the lock, and waiting here could deadlock.
create function private.wait_for_first_save() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.searches where first_of = new.user_id) then
    perform private.lock_person(new.user_id);
  end if;
  return new;
end;
$$;

create trigger chats_wait_for_first_save
  before insert on public.chats
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.wait_for_first_save();

-- Only a search with a reachable chat costs requests, so the watcher is notified when one is connected or lost.
create function private.announce_reachable() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if (coalesce(old.state, '') = 'connected') <> (coalesce(new.state, '') = 'connected') then
    perform pg_notify('filters', id::text) from public.searches where user_id = coalesce(new.user_id, old.user_id);
  end if;
  return null;
end;
$$;

create trigger chats_are_announced
  after insert or delete or update of state on public.chats
  for each row execute function private.announce_reachable();

-- A chat is asked about a person only once: removing the id and adding it again does not ask again.
create table watch.chat_questions (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_id bigint not null,
  asked_at timestamptz not null default now(),
  answer text check (answer in ('yes', 'no')),
  is_stop boolean not null default false,
  is_own boolean not null default false,
  primary key (user_id, chat_id)
);
comment on table watch.chat_questions is 'The accounts a chat was asked about, and its answers.';
comment on column watch.chat_questions.is_stop is 'Whether the chat declined with /stop.';
comment on column watch.chat_questions.is_own is
  'Whether the chat said that the account is its own, which is more than to accept its alerts.';
create index chat_questions_by_chat on watch.chat_questions (chat_id, asked_at);

create table watch.moved_chats (
  from_chat_id bigint primary key,
  to_chat_id bigint not null references watch.chats (chat_id) on delete cascade,
  moved_at timestamptz not null default now()
);
comment on table watch.moved_chats is 'The former ids of groups that became supergroups; a page left open may still save one.';
create index moved_chats_by_new_id on watch.moved_chats (to_chat_id);

-- The settings of one search in one chat, if they differ from the chat's own.
create table watch.search_chats (
  search_id uuid not null references public.searches (id) on delete cascade,
  chat_id bigint not null,
  -- The group topic that its alerts go to.
  topic_id bigint,
  muted_until timestamptz,
  -- When the bot told the chat that the search runs again. A start soon afterwards is not announced there.
  resumed_at timestamptz,
  primary key (search_id, chat_id)
);
create index search_chats_by_chat on watch.search_chats (chat_id);
comment on table watch.search_chats is 'The topic and the mute of one search in one chat.';

-- The bot asked for a search's name and waits for a reply to its message. A later question replaces it.
create table watch.name_questions (
  chat_id bigint primary key references watch.chats (chat_id) on delete cascade,
  message_id bigint not null,
  search_id uuid not null
);
comment on table watch.name_questions is 'Which search a reply to the bot''s message names, one for each chat.';

-- A request that could concern several accounts of the chat. The bot keeps the latest three of a chat for an hour.
create table watch.account_questions (
  id uuid primary key default gen_random_uuid(),
  chat_id bigint not null references watch.chats (chat_id) on delete cascade,
  -- ChatRequest in src/store/chats/account-questions.ts.
  request jsonb not null check (octet_length(request::text) <= 16384),
  asked_at timestamptz not null
);
create index account_questions_of_a_chat on watch.account_questions (chat_id, asked_at);
comment on table watch.account_questions is 'Requests of chats that wait for the choice of an account.';

-- A question of the bot that the private chat answers by typing or by sharing a location. A later one replaces it.
create table watch.open_questions (
  chat_id bigint primary key references watch.chats (chat_id) on delete cascade,
  -- OpenQuestion in src/store/chats/open-questions.ts.
  question jsonb not null check (octet_length(question::text) <= 1024),
  asked_at timestamptz not null
);
comment on table watch.open_questions is 'Which question of the bot the next message of a chat answers, one for each chat.';

create table watch.link_tokens (
  -- Only the link contains the token itself.
  token_hash bytea primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The search that the chat is added to; null: the first.
  search_id uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  chat_id bigint
);
comment on table watch.link_tokens is
  'One-tap links: the account that a chat is connected to when it presses Start with this token.';
create index link_tokens_of_a_person on watch.link_tokens (user_id, created_at);
create index link_tokens_of_a_chat on watch.link_tokens (chat_id) where chat_id is not null;

-- 128 bits of two random UUIDs (122 random bits each), in the alphabet of a deep link.
create function private.random_token() returns text
  language sql set search_path = ''
as $$
  select rtrim(
    translate(
      encode(substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16), 'base64'),
      '+/', '-_'
    ),
    '='
  );
$$;

create function public.create_telegram_link(search_id uuid default null) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_caller();
  token constant text := private.random_token();
  expiry constant timestamptz := now() + interval '15 minutes';
begin
  -- Serialised per person: parallel requests would not see each other's rows.
  perform pg_advisory_xact_lock(hashtextextended('telegram-link ' || me, 0));
  if (select count(*) from watch.link_tokens where user_id = me and created_at > now() - interval '1 hour') >= 30 then
    raise exception 'Too many links in an hour' using errcode = 'PT429', detail = 'too-many-links';
  end if;
  delete from watch.link_tokens where user_id = me and created_at < now() - interval '1 day';
  if search_id is not null and not exists (
    select from public.searches where user_id = me and id = create_telegram_link.search_id
  ) then
    raise exception 'You have no such search' using errcode = 'PT404', detail = 'no-such-search';
  end if;
  insert into watch.link_tokens (token_hash, user_id, expires_at, search_id)
  values (sha256(convert_to(token, 'UTF8')), me, expiry, create_telegram_link.search_id);
  return jsonb_build_object('token', token, 'expires_at', expiry);
end;
$$;
comment on function public.create_telegram_link(uuid) is
  'Returns a token that connects a chat to the caller within fifteen minutes, for the given search or the first.';

revoke execute on all functions in schema private from public;
revoke execute on function public.create_telegram_link(uuid) from public, anon;
grant execute on function public.create_telegram_link(uuid) to authenticated;
