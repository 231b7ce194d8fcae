-- Telegram chats: what the bot knows of each, and which of them a person's alerts go to.

create table watch.chats (
  chat_id bigint primary key,
  -- Null until the bot has met the chat.
  kind text check (kind in ('private', 'group', 'supergroup', 'channel')),
  title text check (char_length(title) <= 300),
  -- The chat's own choice, and what Telegram says of the person who spoke last.
  language text check (language in ('en', 'es', 'ru', 'de', 'fr')),
  telegram_language text check (char_length(telegram_language) <= 35),
  standing text not null default 'unknown' check (standing in ('unknown', 'ok', 'blocked', 'unreachable')),
  -- The last time the chat itself asked for its id: it vouches for an id typed soon after.
  asked_id_at timestamptz,
  -- Alerts wait until then: "mute 8 h", or infinity for a group that paused.
  muted_until timestamptz,
  created_at timestamptz not null default now()
);

comment on table watch.chats is 'Every Telegram chat the bot has met or was told of, and whether it can be reached.';

create table public.chats (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_id bigint not null,
  kind text check (kind in ('private', 'group', 'supergroup', 'channel')),
  title text check (char_length(title) <= 300),
  state text not null check (state in ('waiting', 'connected', 'declined', 'blocked', 'unreachable')),
  reason text check (
    reason in (
      'full', 'too-many-questions', 'not-started', 'not-found', 'deactivated', 'kicked', 'left', 'deleted',
      'no-rights', 'said-no', 'stopped'
    )
  ),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, chat_id)
);

comment on table public.chats is 'The chats a person''s alerts go to, each with its state; kept by the bot and by delivery.';

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

-- A chat is asked about a person once, ever: taking the id out and typing it again asks nothing more.
create table watch.chat_questions (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_id bigint not null,
  asked_at timestamptz not null default now(),
  answer text check (answer in ('yes', 'no')),
  primary key (user_id, chat_id)
);

comment on table watch.chat_questions is 'Whom a chat was asked about, and what it said.';

create index chat_questions_by_chat on watch.chat_questions (chat_id, asked_at);

create table watch.link_tokens (
  -- The token itself is only in the link.
  token_hash bytea primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  chat_id bigint
);

comment on table watch.link_tokens is 'One-tap links: who may connect the chat that presses Start with this token, once, until when.';

create index link_tokens_of_a_person on watch.link_tokens (user_id, created_at);

-- 128 bits of two random UUIDs (122 random bits each), in the alphabet of a deep link.
create function private.random_token() returns text
  language sql volatile set search_path = ''
as $$
  select rtrim(
    translate(
      encode(substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16), 'base64'),
      '+/', '-_'
    ),
    '='
  );
$$;

revoke execute on function private.random_token() from public;

create function public.create_telegram_link() returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  token constant text := private.random_token();
  expiry constant timestamptz := now() + interval '15 minutes';
begin
  if me is null then
    raise exception 'Only a signed-in person can connect a chat' using errcode = 'insufficient_privilege';
  end if;
  -- One at a time for one person, or a burst would count itself too low.
  perform pg_advisory_xact_lock(hashtextextended('telegram-link ' || me, 0));
  if (select count(*) from watch.link_tokens where user_id = me and created_at > now() - interval '1 hour') >= 30 then
    raise exception 'Too many links in an hour' using errcode = 'PT429', detail = 'too-many-links';
  end if;
  delete from watch.link_tokens where user_id = me and created_at < now() - interval '1 day';
  insert into watch.link_tokens (token_hash, user_id, expires_at)
  values (sha256(convert_to(token, 'UTF8')), me, expiry);
  return jsonb_build_object('token', token, 'expires_at', expiry);
end;
$$;

comment on function public.create_telegram_link() is 'A token for t.me/<bot>?start=…: used once, within 15 minutes, it connects a chat to the caller.';

revoke execute on function public.create_telegram_link() from public, anon;
grant execute on function public.create_telegram_link() to authenticated;
