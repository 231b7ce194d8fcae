-- A home under a new code is a new listing with a former one, so the outbox needs one unique key. Whom an alert may be sent to, and
-- what it replies to, is decided in src/telegram/send.

update watch.alerts set event_key = '' where kind = 'new' and event_key <> '';
update watch.alerts set kind = 'new', event_key = '' where kind = 'readvertised';
delete from watch.alert_kinds where kind = 'readvertised';
alter table watch.alert_kinds drop column is_reply;
drop index watch.find_is_alerted_once;

CREATE OR REPLACE FUNCTION watch.bring_back(person uuid, meant_id text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  returned uuid[];
begin
  perform private.lock_person(person);
  with ended as (
    update public.left_outs set returned_at = at
    where user_id = person and listing_id = meant_id and returned_at is null
    returning search_id, payload
  ), alerted as (
    insert into watch.alerts as held (
      user_id, chat_id, kind, listing_id, payload, seen_at, not_before, created_at, search_ids
    )
    select person, chats.chat_id, 'new', meant_id, (array_agg(ended.payload))[1], null, at, at,
      array_agg(saved.id order by saved.id)
    from ended join public.searches as saved on saved.id = ended.search_id
    cross join unnest(saved.receiver_ids) as named (chat_id)
    join public.chats on chats.user_id = person and chats.chat_id = named.chat_id::bigint and chats.state = 'connected'
    group by chats.chat_id order by chats.chat_id
    on conflict on constraint alert_exists_once do nothing
  )
  select array_agg(search_id) into returned from ended;
  if returned is null then
    return false;
  end if;
  update public.listings set search_ids = watch.joined_ids(search_ids, returned)
  where user_id = person and listing_id = meant_id;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.move_chat(from_chat bigint, to_chat bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
    and kept.kind = former.kind and kept.event_key = former.event_key;
  update watch.alerts set chat_id = to_chat where chat_id = from_chat;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.latest_alerts_of(person uuid, search uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with recent as (
    select alerts.* from watch.alerts
    where alerts.user_id = person and alerts.kind in (select kind from watch.alert_kinds where is_about_listing)
      and search = any (alerts.search_ids)
    order by alerts.created_at desc, alerts.position desc limit 200
  ), homes as (
    select distinct on (home.home_id) recent.*
    from recent cross join watch.home_of(recent.listing_id) as home
    order by home.home_id, recent.created_at desc,
      -- If one event went to several chats: one that arrived.
      (recent.state in ('sent', 'merged')) desc, recent.position desc
  ), latest as (
    select * from homes order by created_at desc, position desc limit 5
  )
  select coalesce(
    jsonb_agg(jsonb_build_object(
      'id', id, 'kind', kind, 'chat_id', chat_id, 'state', state, 'created_at', created_at, 'sent_at', sent_at,
      'listing_id', listing_id, 'former_listing_id', payload ->> 'formerListingId', 'home', payload -> 'listing', 'price_eur', payload -> 'listing' -> 'priceEur',
      'url', payload -> 'listing' ->> 'url'
    ) order by created_at desc, position desc), '[]'
  )
  from latest;
$function$;

drop function watch.may_notify(text, text, text, text);
