-- What a chat shows of its people, only to people whom the chat confirmed. Payloads keep ids; names are read when a message is
-- rendered, so that nothing of a deleted account stays in them.

-- The names of these people as they may be read in the chat, or by one of its people: nobody's whom the chat did not confirm, and
-- none for a reader whom it did not confirm. Every text that names other people of a chat comes from here.
create function private.names_in_chat(reader uuid, chat bigint, people uuid[]) returns text[]
  language sql stable security definer set search_path = ''
as $$
  select array_agg(coalesce(private.plain_name(full_name), private.account_in_chat(named.id, chat)) order by place)
  from unnest(people) with ordinality as named (id, place)
  join watch.confirmed_chats as theirs on theirs.user_id = named.id and theirs.chat_id = chat
  join public.profiles on profiles.id = named.id
  where exists (select from watch.confirmed_chats where user_id = reader and chat_id = chat);
$$;

-- The people whom an alert names, at the moment it is sent. The question whether a chat belongs to an account names it masked.
create function watch.people_named(alert_kind text, owner uuid, chat bigint, payload jsonb) returns jsonb
  language sql stable set search_path = ''
as $$
  select coalesce(to_jsonb(case alert_kind
    when 'kept' then private.names_in_chat(
      owner, chat, array(select id::uuid from jsonb_array_elements_text(payload -> 'keeperIds') as keeper (id))
    )
    when 'question' then array[private.masked_account(owner)]
    when 'connected' then array[private.masked_account(owner)]
  end), '[]');
$$;

create or replace function private.add_chats(owner uuid, added bigint[]) returns void
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
  select owner, chats.chat_id, 'connected', extract(epoch from met.asked_id_at)::text, '{}'
  from public.chats join watch.chats as met using (chat_id)
  where chats.user_id = owner and chats.chat_id = any (added) and chats.state = 'connected' and chats.confirmed_at is null
  order by chats.chat_id
  on conflict on constraint alert_exists_once do update set
    state = 'pending', not_before = now(), created_at = now(), attempts = 0, failing_since = null
  where told.state in ('undeliverable', 'expired');
end;
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
  select owner, asked.chat_id, 'question', '{}' from asked
  on conflict do nothing;
end;
$$;

-- A second person who joins the shortlist of a chat does not fill it. What a chat receives is shown only to accounts that it
-- confirmed.
create or replace function private.follow_receives() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.chat_id < 0 and new.state = 'connected' and new.confirmed_at is not null and new.receives = 'everything'
    and (tg_op = 'INSERT' or old.state <> 'connected' or old.confirmed_at is null) then
    new.receives := coalesce((
      select theirs.receives from public.chats as theirs join watch.confirmed_chats using (user_id, chat_id)
      where theirs.chat_id = new.chat_id and theirs.user_id <> new.user_id
      order by theirs.created_at, theirs.user_id limit 1
    ), new.receives);
  end if;
  return new;
end;
$$;
drop trigger chats_follow_receives on public.chats;
create trigger chats_follow_receives
  before insert or update of state, confirmed_at on public.chats
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.follow_receives();

create or replace function private.my_alerts() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'chat_id', chat_id, 'kind', kind, 'listing_id', listing_id, 'state', state, 'created_at', created_at,
        'sent_at', sent_at, 'payload', payload - 'keeperIds'
      ) order by position
    ),
    '[]'
  )
  from watch.alerts where user_id = (select auth.uid());
$$;

-- Called after the mark was set, under the lock of the home. What it writes commits with the mark. Only among the people whom the
-- chat confirmed: nobody else learns or counts.
create or replace function watch.announce_kept(person uuid, meant_id text, meant text[], at timestamp with time zone) returns void
  language plpgsql set search_path = ''
as $$
declare
  home constant text := (select home_id from watch.home_of(meant_id));
  shown record;
  chat record;
  keepers uuid[];
  is_new boolean;
  is_by_two boolean;
begin
  select alerts.listing_id, alerts.payload -> 'listing' as listing, alerts.search_ids into shown from watch.alerts
  where alerts.user_id = person and alerts.listing_id = any (meant)
    and jsonb_typeof(alerts.payload -> 'listing') = 'object'
  order by alerts.listing_id = meant_id desc, alerts.position desc limit 1;
  if not found then
    return;
  end if;
  for chat in
    select own.chat_id, own.receives from public.chats as own
    join watch.confirmed_chats using (user_id, chat_id)
    where own.user_id = person and own.receives <> 'everything'
    order by own.chat_id
  loop
    select array_agg(kept.user_id order by kept.first_at, kept.user_id) into keepers
    from (
      select marks.user_id, min(marks.updated_at) as first_at
      from public.marks join watch.confirmed_chats as theirs on theirs.user_id = marks.user_id
        and theirs.chat_id = chat.chat_id
      left join watch.portal_listings as advert on advert.listing_id = marks.listing_id
      where marks.mark = 'kept' and (marks.listing_id = any (meant) or advert.home_id = home)
      group by marks.user_id
    ) as kept;
    is_by_two := cardinality(keepers) >= 2;
    continue when chat.receives = 'kept-by-two' and not is_by_two;
    insert into watch.shortlists (chat_id, home_id, kept_at) values (chat.chat_id, home, at) on conflict do nothing;
    is_new := found;
    if is_by_two then
      update watch.shortlists set by_two_at = at
      where chat_id = chat.chat_id and home_id = home and by_two_at is null;
      is_by_two := found;
    end if;
    continue when not is_new and not is_by_two;
    insert into watch.alerts (user_id, chat_id, kind, listing_id, event_key, payload, search_ids)
    values (
      person, chat.chat_id, 'kept', shown.listing_id, case when is_by_two then 'by-two' else '' end,
      jsonb_build_object('listing', shown.listing, 'keeperIds', to_jsonb(keepers), 'isByTwo', is_by_two),
      shown.search_ids
    )
    on conflict do nothing;
  end loop;
end;
$$;
drop function private.keeper_name(uuid, bigint);

-- The other keepers' alerts keep no id of a deleted account.
create index alerts_of_keepers on watch.alerts using gin ((payload -> 'keeperIds')) where kind = 'kept';
create function private.forget_keeper() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update watch.alerts set payload = jsonb_set(payload, '{keeperIds}', (payload -> 'keeperIds') - old.id::text)
  where kind = 'kept' and payload -> 'keeperIds' ? old.id::text and user_id <> old.id;
  return old;
end;
$$;
create trigger keepers_are_forgotten
  before delete on auth.users
  for each row execute function private.forget_keeper();

update watch.alerts set payload = payload - 'keepers' || jsonb_build_object(
  'isByTwo', payload -> 'isByTwo' = 'true'::jsonb and (user_id, chat_id) in (select user_id, chat_id from watch.confirmed_chats),
  'keeperIds', (
    select coalesce(jsonb_agg(marks.user_id order by marks.updated_at, marks.user_id), jsonb_build_array(alerts.user_id))
    from public.marks join watch.confirmed_chats as theirs on theirs.user_id = marks.user_id and theirs.chat_id = alerts.chat_id
    where marks.mark = 'kept' and marks.listing_id = alerts.listing_id
  )
) where kind = 'kept';
update watch.alerts set payload = payload - 'account' where kind in ('question', 'connected');
update watch.alerts set payload = payload - 'name' - 'filterUrl' where kind = 'summary-offer';

revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
