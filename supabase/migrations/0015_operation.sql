-- Operation: the operator's incidents and pause switch, the bot's inbox and name, and the export of a person's data.

-- In the database, so that only one of several processes notifies the operator.
create table watch.incidents (
  kind text not null check (kind in ('quota', 'source', 'token', 'telegram', 'mail', 'disk', 'clock', 'backup')),
  -- The source or machine; empty if the kind has no subject.
  subject text not null default '' check (char_length(subject) <= 200),
  since timestamptz not null,
  notified_at timestamptz,
  over_at timestamptz,
  primary key (kind, subject)
);
comment on table watch.incidents is 'Current incidents, and whether the operator was notified.';

create table watch.pause (
  is_paused boolean primary key default true check (is_paused),
  since timestamptz not null default now()
);
comment on table watch.pause is 'A row while the operator has paused everything: nothing is checked, nothing is sent.';

create table watch.bot (
  is_the_bot boolean primary key default true check (is_the_bot),
  username text not null check (username ~ '^\w{5,32}$')
);
comment on table watch.bot is 'The bot''s name: one row, written by the process that has the token, for those that do not.';

-- An update is stored before it is confirmed, and its id is kept for a while, because Telegram sends an update again if
-- it missed the answer. The bot takes turns between chats, so that one chat's flood delays no other.
create table watch.updates (
  update_id bigint primary key,
  -- As JSON text, because Telegram's texts may contain what jsonb refuses. Emptied once the update is handled.
  content text,
  attempts integer not null default 0,
  -- Zero if the update has no chat; null before it is read and after it is handled.
  chat_id bigint,
  sender_id bigint,
  done_at timestamptz
);
comment on table watch.updates is 'The bot''s inbox: updates waiting to be handled, and the ids of those that were.';
create index updates_done on watch.updates (done_at) where done_at is not null;
create index updates_waiting_in_a_chat on watch.updates (chat_id, update_id) where done_at is null;

-- The export reads with the caller's rights, so row-level security decides what is theirs. These functions provide what
-- no request role may read.
create function private.my_account() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', users.id,
    'email', users.email,
    'new_email', nullif(users.email_change, ''),
    'created_at', users.created_at,
    'last_sign_in_at', users.last_sign_in_at,
    'metadata', private.metadata_of(users.raw_user_meta_data),
    'sign_in_with', (
      select coalesce(jsonb_agg(identities.provider order by identities.provider), '[]')
      from auth.identities where identities.user_id = users.id
    )
  )
  from auth.users where users.id = (select auth.uid());
$$;

create function private.my_alerts() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'chat_id', chat_id, 'kind', kind, 'listing_id', listing_id, 'state', state, 'created_at', created_at,
        'sent_at', sent_at, 'payload', payload
      ) order by position
    ),
    '[]'
  )
  from watch.alerts where user_id = (select auth.uid());
$$;

create function private.my_marks() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'listing_id', listing_id, 'mark', mark, 'note', note, 'created_at', created_at, 'updated_at', updated_at
      ) order by created_at, listing_id
    ),
    '[]'
  )
  from public.marks where user_id = (select auth.uid());
$$;

create function private.my_events() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(security_events) - 'id' - 'user_id' order by happened_at, id), '[]')
  from private.security_events where user_id = (select auth.uid());
$$;

create function private.note_my_export() returns void
  language sql security definer set search_path = ''
as $$
  select private.note_security_event((select auth.uid()), 'export', null, null, 1, now());
$$;

create function public.export_my_data() returns jsonb
  language sql set search_path = ''
as $$
  select private.note_my_export();
  select jsonb_build_object(
    'exported_at', now(),
    'account', private.my_account() || (
      select jsonb_build_object('full_name', profiles.full_name, 'language', profiles.language)
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'searches', (
      select coalesce(
        jsonb_agg(to_jsonb(searches) - 'based_on' - 'first_of' - 'user_id' order by is_first desc, created_at, id), '[]'
      )
      from public.searches where user_id = (select auth.uid())
    ),
    'chats', (
      select coalesce(jsonb_agg(to_jsonb(chats) - 'user_id' order by created_at, chat_id), '[]')
      from public.chats where user_id = (select auth.uid())
    ),
    'listings', (
      select coalesce(jsonb_agg(to_jsonb(listings) order by created_at, listing_id), '[]')
      from public.listings where user_id = (select auth.uid())
    ),
    'alerts', private.my_alerts(),
    'marks', private.my_marks(),
    'own_places', (
      select coalesce(jsonb_agg(to_jsonb(own_places) - 'user_id' order by created_at, id), '[]')
      from public.own_places where user_id = (select auth.uid())
    ),
    'find_settings', (
      select to_jsonb(find_settings) - 'user_id' from public.find_settings where user_id = (select auth.uid())
    ),
    'mail_address', (
      select to_jsonb(mail_addresses) - 'user_id' from public.mail_addresses where user_id = (select auth.uid())
    ),
    'received_mails', (
      select coalesce(jsonb_agg(to_jsonb(received_mails) - 'user_id' order by received_at, id), '[]')
      from public.received_mails where user_id = (select auth.uid())
    ),
    'security_events', private.my_events()
  );
$$;
comment on function public.export_my_data() is 'Everything the product keeps about the caller, as one JSON object.';

revoke execute on all functions in schema private from public;
grant execute on function private.my_account(), private.my_alerts(), private.my_marks(), private.my_events(),
  private.note_my_export() to authenticated;
revoke execute on function public.export_my_data() from public, anon;
grant execute on function public.export_my_data() to authenticated;
