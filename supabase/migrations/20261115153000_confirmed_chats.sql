-- A chat's name is shown to an account only after the chat said that it is theirs. A chat that is connected without that
-- is told whose alerts it will get, and can refuse by a button.

alter table public.chats add column confirmed_at timestamptz;
comment on column public.chats.confirmed_at is 'When the chat said that this account is its own; before that its name and kind are not told.';

-- What was connected before has shown its name already; of what never was nothing may be known.
update public.chats set confirmed_at = updated_at
where state in ('connected', 'blocked', 'unreachable') or (state = 'declined' and title is not null);
update public.chats set kind = null, title = null where confirmed_at is null and (kind is not null or title is not null);

alter table public.chats add constraint a_name_needs_a_yes check (
  confirmed_at is not null or (title is null and kind is null)
) not valid;

alter table watch.alerts drop constraint alerts_kind_check;
alter table watch.alerts add constraint alerts_kind_check check (
  kind in ('new', 'price-drop', 'back', 'readvertised', 'gone', 'begun', 'blind', 'sight', 'question', 'connected', 'test')
) not valid;

-- A group that became a supergroup: whoever still has the former id, a page left open for instance, means the new one.
create table watch.moved_chats (
  from_chat_id bigint primary key,
  to_chat_id bigint not null references watch.chats (chat_id) on delete cascade,
  moved_at timestamptz not null default now()
);

comment on table watch.moved_chats is 'The former ids of groups that became supergroups.';

create index moved_chats_by_new_id on watch.moved_chats (to_chat_id);

-- The ids in their order, each of a chat that moved replaced by the one it has now.
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

revoke execute on function private.followed_ids(text[]) from public;

-- A changed list of chats: rows go, rows come, and each chat that comes is told or asked.
-- Everything that touches a person's chats locks in one order: the filter, then watch.chats by id, then public.chats.
create or replace function private.follow_receiver_ids() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  owner constant uuid := coalesce(new.user_id, old.user_id);
  added bigint[];
  followed text[];
begin
  if tg_op = 'DELETE' then
    delete from public.chats where user_id = owner;
    return null;
  end if;

  added := array(
    select id::bigint from unnest(new.receiver_ids) as id
    where not exists (select from public.chats where chats.user_id = owner and chats.chat_id = id::bigint)
      and not exists (select from watch.moved_chats where from_chat_id = id::bigint)
  );
  -- Made or locked, so that of two accounts that type an id at once one comes second.
  insert into watch.chats as known (chat_id)
  select id from unnest(added) as id order by id
  on conflict (chat_id) do update set standing = known.standing;

  -- Asked only now: the group may have moved while its lock was waited for.
  followed := private.followed_ids(new.receiver_ids);
  if followed is distinct from new.receiver_ids then
    update public.filter_settings set receiver_ids = followed where id = new.id;
    return null;
  end if;

  delete from public.chats where user_id = owner and not (chat_id = any (new.receiver_ids::bigint[]));
  perform private.add_chats(owner, added);
  perform private.ask_waiting_chats(owner);
  return null;
end;
$$;

-- Connected are an id whose chat once said yes to this account, and one that was typed soon after the chat itself asked
-- for its id while nobody else held it. A chat that said no to this account stays at no.
create function private.add_chats(owner uuid, added bigint[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.chats (user_id, chat_id, kind, title, state, reason, confirmed_at)
  select owner, met.chat_id,
    case when asked.answer = 'yes' and others.connected < 5 then met.kind end,
    case when asked.answer = 'yes' and others.connected < 5 then met.title end,
    case when judged.is_connected then 'connected' when asked.answer = 'no' then 'declined' else 'waiting' end,
    case when judged.is_connected then null when asked.answer = 'no' then 'said-no' when others.connected >= 5 then 'full' end,
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

  -- Telling a chat is asking it too: both are answered by a button, and both are counted.
  insert into watch.chat_questions (user_id, chat_id)
  select owner, chat_id from public.chats
  where user_id = owner and chat_id = any (added) and state = 'connected' and confirmed_at is null
  order by chat_id
  on conflict (user_id, chat_id) do nothing;

  -- Once for each time the chat asked for its id, however often that id is taken out and typed again; but what never
  -- got there is told anew.
  insert into watch.alerts as told (user_id, chat_id, kind, event_key, payload)
  select owner, chats.chat_id, 'connected', extract(epoch from met.asked_id_at)::text,
    jsonb_build_object('email', private.masked_email(owner))
  from public.chats join watch.chats as met using (chat_id)
  where chats.user_id = owner and chats.chat_id = any (added) and chats.state = 'connected' and chats.confirmed_at is null
  order by chats.chat_id
  on conflict on constraint alert_exists_once do update set
    state = 'pending', not_before = now(), created_at = now(), attempts = 0, failing_since = null
  where told.state in ('undeliverable', 'expired');
end;
$$;

-- A chat hears of five new accounts a day, and an account reaches twenty new chats.
create function private.may_be_asked(owner uuid, chat bigint) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select
    (select count(*) from watch.chat_questions where chat_id = chat and asked_at > now() - interval '1 day') < 5
    and (select count(*) from watch.chat_questions where user_id = owner and asked_at > now() - interval '1 day') < 20;
$$;

create or replace function private.ask_waiting_chats(owner uuid) returns void
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
  select owner, asked.chat_id, 'question', jsonb_build_object('email', private.masked_email(owner)) from asked
  on conflict do nothing;
end;
$$;

revoke execute on function private.add_chats(uuid, bigint[]) from public;
revoke execute on function private.may_be_asked(uuid, bigint) from public;

-- Whether a chat can be reached, for everyone who writes to it. Of a chat that was forgotten nothing is noted.
create or replace function watch.set_standing(chat bigint, new_standing text, why text) returns void
  language sql volatile set search_path = ''
as $$
  update watch.chats set standing = new_standing where chat_id = chat;

  update public.chats set
    state = case when new_standing = 'ok' then 'connected' else new_standing end,
    reason = case when new_standing = 'ok' then null else why end
  where chat_id = chat and new_standing <> 'unknown'
    and state in ('connected', 'blocked', 'unreachable')
    and (state, reason) is distinct from
      (case when new_standing = 'ok' then 'connected' else new_standing end, case when new_standing = 'ok' then null else why end);

  -- Who waits for a chat's yes learns that the question could not be put.
  update public.chats set reason = case when new_standing = 'unreachable' then why end
  where chat_id = chat and state = 'waiting' and reason is distinct from 'full'
    and reason is distinct from case when new_standing = 'unreachable' then why end;
$$;

-- A group that became a supergroup has a new id; every row that names the old one follows, and the old id is remembered
-- for whoever saves it later.
create or replace function watch.move_chat(from_chat bigint, to_chat bigint) returns void
  language plpgsql set search_path = ''
as $$
begin
  if from_chat = to_chat then
    return;
  end if;

  -- Locks in the order in which saving a filter takes them.
  perform from public.filter_settings
  where receiver_ids && array[from_chat::text, to_chat::text] order by user_id for update;
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

    -- First the rows themselves, so that the change of the lists below finds them in place.
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

    -- A filter that is being saved at this moment waits for us, and then follows by itself.
    update public.filter_settings set receiver_ids = private.followed_ids(receiver_ids)
    where id in (
      select id from public.filter_settings where from_chat::text = any (receiver_ids) order by user_id for update skip locked
    );

    delete from watch.chat_questions as former using watch.chat_questions as kept
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id;
    update watch.chat_questions set chat_id = to_chat where chat_id = from_chat;
    update watch.link_tokens set chat_id = to_chat where chat_id = from_chat;
    delete from watch.chat_paces where chat_id = from_chat;
    delete from watch.chats where chat_id = from_chat;
  end if;

  -- Also those that a check wrote while the group moved.
  delete from watch.alerts as former using watch.alerts as kept
  where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id and kept.kind = former.kind
    and kept.listing_id is not distinct from former.listing_id and kept.event_key = former.event_key;
  update watch.alerts set chat_id = to_chat where chat_id = from_chat;
end;
$$;
