-- Consent: which chats may be notified for whom, and which are asked. Consent belongs to a person and a chat, and ends
-- when no search of the person names the chat.
-- Every writer locks in this order, which avoids deadlock: the person, their searches, watch.chats by id, public.chats.

-- The ids in order, with the current id of each chat that moved.
create function private.followed_ids(receiver_ids text[]) returns text[]
  language sql stable set search_path = ''
as $$
  select array_agg(followed.id order by followed.place)
  from (
    select coalesce(moved.to_chat_id::text, given.id) as id, min(given.place) as place
    from unnest(receiver_ids) with ordinality as given (id, place)
    left join watch.moved_chats as moved on moved.from_chat_id = given.id::bigint
    group by 1
  ) as followed;
$$;

create function private.follow_receiver_ids() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  owner constant uuid := coalesce(new.user_id, old.user_id);
  named bigint[];
  added bigint[];
  followed text[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select id::bigint from unnest(new.receiver_ids) as id
      where not exists (select from public.chats where chats.user_id = owner and chats.chat_id = id::bigint)
        and not exists (select from watch.moved_chats where from_chat_id = id::bigint)
    );
    -- Inserts or locks the row, so that two accounts that add an id at once are serialised.
    insert into watch.chats as known (chat_id)
    select id from unnest(added) as id order by id
    on conflict (chat_id) do update set standing = known.standing;

    -- After the lock: the group may have moved in the meantime.
    followed := private.followed_ids(new.receiver_ids);
    if followed is distinct from new.receiver_ids then
      update public.searches set receiver_ids = followed where id = new.id;
      return null;
    end if;
  end if;

  named := array(
    select distinct held.chat::bigint from public.searches cross join unnest(receiver_ids) as held (chat)
    where user_id = owner
  );
  -- Joined accounts may have more; only a further one is refused.
  if cardinality(added) > 0 and cardinality(named) > 10 then
    raise exception 'Ten chats are enough for one person' using errcode = 'PT409', detail = 'too-many-chats';
  end if;
  delete from public.chats where user_id = owner and not (chat_id = any (named));
  delete from watch.search_chats
  where search_id = old.id and tg_op = 'UPDATE' and not (chat_id::text = any (new.receiver_ids));
  if tg_op <> 'DELETE' then
    perform private.add_chats(owner, added);
    perform private.ask_waiting_chats(owner);
  end if;
  return null;
end;
$$;

create trigger searches_chats_follow after insert or delete or update of receiver_ids on public.searches
  for each row execute function private.follow_receiver_ids();

-- A chat is asked about at most five new accounts a day, and an account asks at most twenty new chats.
create function private.may_be_asked(owner uuid, chat bigint) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select
    (select count(*) from watch.chat_questions where chat_id = chat and asked_at > now() - interval '1 day') < 5
    and (select count(*) from watch.chat_questions where user_id = owner and asked_at > now() - interval '1 day') < 20;
$$;

-- A chat is connected if it once consented to this account, or if its id was added soon after the chat asked for its id
-- and no other account has it. A chat that declined this account remains declined.
create function private.add_chats(owner uuid, added bigint[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.chats (user_id, chat_id, kind, title, state, reason, confirmed_at)
  select owner, met.chat_id,
    case when asked.answer = 'yes' and others.connected < 5 then met.kind end,
    case when asked.answer = 'yes' and others.connected < 5 then met.title end,
    case when judged.is_connected then 'connected' when asked.answer = 'no' then 'declined' else 'waiting' end,
    case
      when judged.is_connected then null
      when asked.answer = 'no' then case when asked.is_stop then 'stopped' else 'said-no' end
      when others.connected >= 5 then 'full'
      -- A chat is asked once, so the outcome of that question still applies.
      when asked.user_id is not null then met.closed_reason
    end,
    case when asked.answer = 'yes' and others.connected < 5 then now() end
  from watch.chats as met
  left join watch.chat_questions as asked on asked.chat_id = met.chat_id and asked.user_id = owner
  cross join lateral (
    select count(*) filter (where state in ('connected', 'blocked', 'unreachable')) as holding,
      count(*) filter (where state = 'connected') as connected
    from public.chats where chats.chat_id = met.chat_id and chats.user_id <> owner
  ) as others
  cross join lateral (
    select case asked.answer
      when 'yes' then others.connected < 5
      when 'no' then false
      else others.holding = 0 and coalesce(met.asked_id_at > now() - interval '24 hours', false)
        and (asked.user_id is not null or private.may_be_asked(owner, met.chat_id))
    end as is_connected
  ) as judged
  where met.chat_id = any (added)
  on conflict (user_id, chat_id) do nothing;

  -- The notice also counts as a question: the chat answers it with a button.
  insert into watch.chat_questions (user_id, chat_id)
  select owner, chat_id from public.chats
  where user_id = owner and chat_id = any (added) and state = 'connected' and confirmed_at is null
  order by chat_id
  on conflict (user_id, chat_id) do nothing;

  -- One notice for each time the chat asked for its id, however often the id is removed and added again. A notice that
  -- did not arrive is sent again.
  insert into watch.alerts as told (user_id, chat_id, kind, event_key, payload)
  select owner, chats.chat_id, 'connected', extract(epoch from met.asked_id_at)::text,
    jsonb_build_object('account', private.masked_account(owner))
  from public.chats join watch.chats as met using (chat_id)
  where chats.user_id = owner and chats.chat_id = any (added) and chats.state = 'connected' and chats.confirmed_at is null
  order by chats.chat_id
  on conflict on constraint alert_exists_once do update set
    state = 'pending', not_before = now(), created_at = now(), attempts = 0, failing_since = null
  where told.state in ('undeliverable', 'expired');
end;
$$;

create function private.ask_waiting_chats(owner uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.chats set reason = 'too-many-questions'
  where user_id = owner and state = 'waiting' and reason is null
    and not exists (
      select from watch.chat_questions as asked where asked.user_id = owner and asked.chat_id = chats.chat_id
    )
    and not private.may_be_asked(owner, chat_id);

  with asked as (
    insert into watch.chat_questions (user_id, chat_id)
    select owner, chat_id from public.chats where user_id = owner and state = 'waiting' and reason is null
    order by chat_id
    on conflict (user_id, chat_id) do nothing
    returning chat_id
  )
  insert into watch.alerts (user_id, chat_id, kind, payload)
  select owner, asked.chat_id, 'question', jsonb_build_object('account', private.masked_account(owner)) from asked
  on conflict do nothing;
end;
$$;

-- Telegram does not announce that a bot may write again, so a chat without rights is tried.
create function watch.may_notify(
  alert_kind text, chat_state text, chat_reason text, question_answer text
) returns boolean
  language sql immutable set search_path = ''
as $$
  select coalesce(
    case alert_kind
      when 'question' then chat_state = 'waiting' and question_answer is null
      -- Written only to the account's own private chat, which may be in no list of chats.
      when 'account-notice' then coalesce(chat_state, 'connected') in ('connected', 'waiting')
      else chat_state = 'connected' or (chat_state = 'unreachable' and chat_reason = 'no-rights')
    end,
    false
  );
$$;
comment on function watch.may_notify(text, text, text, text) is
  'Whether an alert may be sent to a chat, by the state of the chat for the person and by its answer.';

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
        select unnest(receiver_ids)::bigint from public.searches where user_id = person
      ) as held (id) where id <> chat
    ) >= 10 then 'person-full'
  end;
$$;

create function private.note_answer(person uuid, chat bigint, said text) returns void
  language sql set search_path = ''
as $$
  -- An answer without a question does not count as a question.
  insert into watch.chat_questions (user_id, chat_id, asked_at, answer)
  select person, chat, 'epoch', said where said is not null
  on conflict (user_id, chat_id) do update set
    answer = excluded.answer, is_stop = false, is_own = chat_questions.is_own and excluded.answer = 'yes';

  update watch.chat_questions set answer = null, is_stop = false
  where said is null and user_id = person and chat_id = chat and answer = 'no';

  update watch.alerts set state = 'merged'
  where user_id = person and chat_id = chat and kind in ('question', 'connected') and state = 'pending';
$$;

create function private.connect_chat(
  person uuid, chat bigint, chat_kind text, chat_title text, is_confirmed boolean, for_search uuid
) returns void
  language plpgsql set search_path = ''
as $$
declare
  meant constant uuid := (
    select id from public.searches
    where user_id = person and (id = for_search or is_first) order by is_first limit 1
  );
begin
  -- Before the list changes: its trigger asks every chat that has no row.
  insert into public.chats as known (user_id, chat_id, state, confirmed_at)
  values (person, chat, 'connected', case when is_confirmed then now() end)
  on conflict (user_id, chat_id) do update set
    state = 'connected', reason = null, confirmed_at = coalesce(known.confirmed_at, excluded.confirmed_at);
  update public.chats set kind = chat_kind, title = chat_title
  where user_id = person and chat_id = chat and confirmed_at is not null;
  if for_search is not null or not exists (
    select from public.searches where user_id = person and chat::text = any (receiver_ids)
  ) then
    update public.searches set receiver_ids = array_append(receiver_ids, chat::text)
    where id = meant and not (chat::text = any (receiver_ids));
  end if;
  perform private.note_answer(person, chat, case when is_confirmed then 'yes' end);
end;
$$;

-- Locks in the same order as saving a search.
create function private.lock_person_and_chat(person uuid, chat bigint) returns void
  language plpgsql set search_path = ''
as $$
begin
  perform private.lock_person(person);
  perform from public.searches where user_id = person order by created_at, id for update;
  perform from watch.chats where chat_id = chat for update;
end;
$$;

create function watch.connect_by_link(
  hash bytea, chat bigint, chat_kind text, chat_title text,
  out outcome text, out person uuid, out account text, out is_confirmed boolean, out has_filter boolean
)
  language plpgsql set search_path = ''
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
    -- Only the chat connected by this link may learn that.
    outcome := case when was_connected and link.chat_id = chat then 'already-connected' else 'used' end;
  else
    outcome := coalesce(
      private.limit_of_chats(person, chat), case when was_connected then 'already-connected' else 'connected' end
    );
    if outcome in ('connected', 'already-connected') then
      update watch.link_tokens set used_at = now(), chat_id = chat where token_hash = hash;
      -- Adding the bot to a group is consent; a private chat has only followed a link.
      perform private.connect_chat(person, chat, chat_kind, chat_title, chat_kind <> 'private', link.search_id);
    end if;
  end if;
  account := private.account_in_chat(person, chat);
  has_filter := exists (select from public.searches where user_id = person);
  is_confirmed := exists (
    select from public.chats where user_id = person and chat_id = chat and confirmed_at is not null
  );
end;
$$;
comment on function watch.connect_by_link(bytea, bigint, text, text) is
  'Connects the chat that pressed Start with this token to the person who made it, or says why not.';

-- A chat can decline a held account but not accept it.
create function watch.answer_question(
  person uuid, chat bigint, said text, chat_kind text, chat_title text, out outcome text, out account text
)
  language plpgsql set search_path = ''
as $$
declare
  asked record;
begin
  perform private.lock_person_and_chat(person, chat);
  select chats.state, chats.confirmed_at into asked
  from public.chats left join watch.chat_questions as question using (user_id, chat_id)
  where user_id = person and chat_id = chat and (question.user_id is not null or chats.state <> 'waiting')
  for update of chats;
  -- An old "no" does not revoke a later consent; "not me" and /stop do.
  if not found or (said = 'no' and asked.state not in ('waiting', 'declined') and asked.confirmed_at is not null) then
    outcome := 'not-asked';
    return;
  end if;
  account := private.masked_account(person);
  if said in ('yes', 'me') and watch.is_setup_held(person) then
    outcome := 'held';
    return;
  end if;
  if said in ('yes', 'me') then
    outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
    if outcome = 'connected' then
      perform private.connect_chat(person, chat, chat_kind, chat_title, true, null);
      update watch.chat_questions set is_own = true where said = 'me' and user_id = person and chat_id = chat;
      account := private.account_in_chat(person, chat);
    end if;
    return;
  end if;
  outcome := 'declined';
  if said = 'no' and asked.state = 'declined' then
    return;
  end if;
  -- The id stays in the person's list, where the page shows the reason; the chat's name is removed.
  perform private.note_answer(person, chat, 'no');
  update public.chats set state = 'declined', reason = 'said-no', confirmed_at = null, kind = null, title = null
  where user_id = person and chat_id = chat;
  update watch.alerts set state = 'undeliverable', last_error = 'declined'
  where user_id = person and chat_id = chat and state = 'pending';
end;
$$;
comment on function watch.answer_question(uuid, bigint, text, text, text) is
  'Records a chat''s answer about a person whose alerts it receives or is asked about: yes, no, me or not-me.';

create function watch.stop_chat(chat bigint) returns integer
  language plpgsql set search_path = ''
as $$
declare
  stopped integer;
begin
  update watch.chats set asked_id_at = null, muted_until = null where chat_id = chat;
  update public.chats set state = 'declined', reason = 'stopped' where chat_id = chat and state <> 'declined';
  get diagnostics stopped = row_count;
  insert into watch.chat_questions (user_id, chat_id, asked_at, answer, is_stop)
  select user_id, chat_id, 'epoch', 'no', true from public.chats where chat_id = chat and reason = 'stopped'
  on conflict (user_id, chat_id) do update set answer = 'no', is_stop = true;
  update watch.alerts set state = 'undeliverable', last_error = 'stopped' where chat_id = chat and state = 'pending';
  return stopped;
end;
$$;
comment on function watch.stop_chat(bigint) is 'Ends all alerts to the chat. Returns for how many people this is a change.';

-- People who wait for the chat's consent or were stopped. None while the chat is full.
create function watch.people_to_ask_about(chat bigint) returns table (user_id uuid, account text)
  language sql stable set search_path = ''
as $$
  select chats.user_id, private.masked_account(chats.user_id)
  from public.chats left join watch.chat_questions as asked using (user_id, chat_id)
  where chat_id = chat and (chats.state = 'waiting' and asked.answer is null or chats.reason = 'stopped')
    and 5 > (select count(*) from public.chats as held where held.chat_id = chat and held.state = 'connected')
  order by chats.created_at, chats.user_id limit 5;
$$;
comment on function watch.people_to_ask_about(bigint) is 'The people whose alerts wait for the chat''s answer.';

-- The language of a person who waits for the chat's consent, otherwise of one who is connected.
create function watch.language_of_askers(chat bigint) returns text
  language sql stable set search_path = ''
as $$
  select profiles.language from public.chats join public.profiles on profiles.id = chats.user_id
  where chats.chat_id = chat and chats.state in ('waiting', 'connected') and profiles.language is not null
  order by (chats.state = 'waiting') desc, chats.created_at, chats.user_id limit 1;
$$;

create function watch.set_standing(chat bigint, new_standing text, why text) returns void
  language sql set search_path = ''
as $$
  update watch.chats set standing = new_standing,
    closed_reason = case new_standing when 'unreachable' then why when 'blocked' then 'blocked' end
  where chat_id = chat;

  update public.chats set
    state = case when new_standing = 'ok' then 'connected' else new_standing end,
    reason = case when new_standing = 'ok' then null else why end
  where chat_id = chat and new_standing <> 'unknown'
    and state in ('connected', 'blocked', 'unreachable')
    and (state, reason) is distinct from
      (case when new_standing = 'ok' then 'connected' else new_standing end, case when new_standing = 'ok' then null else why end);

  -- Shows waiting people that the question could not be sent.
  update public.chats set reason = case new_standing when 'unreachable' then why when 'blocked' then 'blocked' end
  where chat_id = chat and state = 'waiting' and reason is distinct from 'full'
    and reason is distinct from case new_standing when 'unreachable' then why when 'blocked' then 'blocked' end;
$$;
comment on function watch.set_standing(bigint, text, text) is 'Records whether a chat can be reached, also for its people.';

create function watch.move_chat(from_chat bigint, to_chat bigint) returns void
  language plpgsql set search_path = ''
as $$
begin
  if from_chat = to_chat then
    return;
  end if;

  -- Locks in the same order as saving a search.
  perform from public.searches
  where receiver_ids && array[from_chat::text, to_chat::text] order by user_id, created_at, id for update;
  perform from watch.chats where chat_id = from_chat and from_chat < to_chat for update;
  insert into watch.chats as known (chat_id, kind, standing)
  select to_chat, 'supergroup', 'ok' where exists (select from watch.chats where chat_id = from_chat)
  on conflict (chat_id) do update set kind = 'supergroup', standing = 'ok';
  perform from watch.chats where chat_id = from_chat for update;

  if found then
    update watch.chats as known set
      title = coalesce(known.title, former.title),
      language = coalesce(known.language, former.language),
      telegram_language = coalesce(known.telegram_language, former.telegram_language),
      asked_id_at = greatest(known.asked_id_at, former.asked_id_at),
      muted_until = greatest(known.muted_until, former.muted_until)
    from watch.chats as former
    where known.chat_id = to_chat and former.chat_id = from_chat;

    delete from watch.moved_chats where from_chat_id = to_chat;
    update watch.moved_chats set to_chat_id = to_chat where to_chat_id = from_chat;
    insert into watch.moved_chats as known (from_chat_id, to_chat_id) values (from_chat, to_chat)
    on conflict (from_chat_id) do update set to_chat_id = excluded.to_chat_id, moved_at = now();

    -- Before the lists change below: their trigger asks every chat that has no row.
    update public.chats as kept set
      state = former.state, reason = former.reason, confirmed_at = former.confirmed_at, kind = former.kind,
      title = former.title
    from public.chats as former
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id
      and kept.state = 'waiting';
    delete from public.chats as former using public.chats as kept
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id;
    update public.chats set chat_id = to_chat where chat_id = from_chat;
    update public.chats set kind = 'supergroup'
    where chat_id = to_chat and confirmed_at is not null and kind is distinct from 'supergroup';

    insert into watch.search_chats (search_id, chat_id, muted_until)
    select search_id, to_chat, muted_until from watch.search_chats where chat_id = from_chat
    on conflict (search_id, chat_id) do nothing;
    delete from watch.search_chats where chat_id = from_chat;

    -- A concurrent save waits for this transaction and then uses the new id by itself.
    update public.searches set receiver_ids = private.followed_ids(receiver_ids)
    where id in (
      select id from public.searches where from_chat::text = any (receiver_ids)
      order by user_id, created_at, id for update skip locked
    );

    delete from watch.chat_questions as former using watch.chat_questions as kept
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id;
    update watch.chat_questions set chat_id = to_chat where chat_id = from_chat;
    update watch.link_tokens set chat_id = to_chat where chat_id = from_chat;
    update public.marks set chat_id = to_chat where chat_id = from_chat;
    delete from watch.chat_paces where chat_id = from_chat;
    delete from watch.chats where chat_id = from_chat;
  end if;

  -- Also alerts that a check wrote during the move.
  delete from watch.alerts as former using watch.alerts as kept
  where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id
    and kept.listing_id is not distinct from former.listing_id
    and (
      kept.kind = former.kind and kept.event_key = former.event_key
      or kept.kind in ('new', 'readvertised') and former.kind in ('new', 'readvertised')
    );
  update watch.alerts set chat_id = to_chat where chat_id = from_chat;
end;
$$;
comment on function watch.move_chat(bigint, bigint) is 'Rewrites a chat''s id everywhere, for a group that became a supergroup.';

create function watch.add_search(person uuid, chat bigint, url text, out outcome text, out search_id uuid)
  language plpgsql set search_path = ''
as $$
declare
  first_one public.searches;
  chats text[];
begin
  perform private.lock_person_and_chat(person, chat);
  if not exists (select from watch.confirmed_chats where user_id = person and chat_id = chat) then
    outcome := 'not-connected';
    return;
  end if;
  select id into search_id from public.searches
  where user_id = person and filter_url = url order by is_first desc, created_at limit 1;
  if found then
    outcome := 'same';
    return;
  end if;
  if (select count(*) from public.searches where user_id = person) >= 10 then
    outcome := 'too-many-searches';
    return;
  end if;
  select * into first_one from public.searches where first_of = person;
  -- Before the first search, a chat that connected itself is not in any list.
  chats := coalesce(first_one.receiver_ids, array(
    select chat_id::text from public.chats where user_id = person and state = 'connected' order by created_at
  ));
  if not (chat::text = any (chats)) then
    chats := chats || chat::text;
  end if;
  outcome := 'added';
  insert into public.searches (user_id, filter_url, receiver_ids, quiet_from, quiet_until)
  values (person, url, chats, first_one.quiet_from, first_one.quiet_until) returning id into search_id;
end;
$$;

-- Since when none of a person's chats can be reached, and when they were mailed about it. Connecting a chat deletes the
-- row.
create table watch.unreachable_people (
  user_id uuid primary key references auth.users (id) on delete cascade,
  since timestamptz not null default now(),
  mailed_at timestamptz
);
comment on table watch.unreachable_people is 'People with an active search and no chat that can be reached.';

-- Pausing all searches stops the clock. The mail is sent once.
create function watch.note_unreachable_people() returns void
  language plpgsql set search_path = ''
as $$
begin
  insert into watch.unreachable_people (user_id)
  select distinct saved.user_id from public.searches as saved
  join auth.users as people
    on people.id = saved.user_id and (people.banned_until is null or people.banned_until <= now())
  where not saved.is_paused and not exists (
    select from public.chats where chats.user_id = saved.user_id and chats.state = 'connected'
  )
  on conflict (user_id) do nothing;

  delete from watch.unreachable_people
  where exists (select from public.chats where chats.user_id = unreachable_people.user_id and chats.state = 'connected')
    or mailed_at is null and not exists (
      select from public.searches as saved where saved.user_id = unreachable_people.user_id and not saved.is_paused
    );

  -- One statement, so that two machines or a crash cannot cause two mails or none.
  with due as (
    update watch.unreachable_people set mailed_at = now()
    where mailed_at is null and since <= now() - interval '1 day'
    returning user_id
  )
  insert into private.account_mails (kind, user_id) select 'chats-lost', user_id from due;
end;
$$;
comment on function watch.note_unreachable_people() is
  'Records the people whom no chat can reach, and mails each of them once after a day.';

-- Keeps chats that the bot met, or that asked for their id, within a day. Checks again after locking: a concurrently
-- saved search may name one of them.
create function watch.forget_unused_chats(before timestamptz, batch integer) returns integer
  language plpgsql set search_path = ''
as $$
declare
  idle bigint[];
  gone integer;
begin
  idle := array(
    select chat_id from watch.chats
    where created_at < before and (asked_id_at is null or asked_id_at < before)
      and not exists (select from public.chats as held where held.chat_id = watch.chats.chat_id)
    order by chat_id limit batch for update skip locked
  );
  delete from watch.chats
  where chat_id = any (idle) and not exists (select from public.chats as held where held.chat_id = watch.chats.chat_id);
  get diagnostics gone = row_count;
  return gone;
end;
$$;
comment on function watch.forget_unused_chats(timestamptz, integer) is 'Deletes chats that no search names.';

revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
