-- Chats that an account has left are told through the outbox, by alerts without an account.
-- squawk-ignore ban-drop-not-null
alter table watch.alerts alter column user_id drop not null;
drop index watch.alerts_open_of_a_person;
create index alerts_open_of_a_person on watch.alerts (chat_id, coalesce(user_id, '00000000-0000-0000-0000-000000000000'), position)
  where state in ('pending', 'sending');
comment on column watch.alerts.user_id is 'Null if it tells the chat that an account has left it.';

insert into watch.alert_kinds (kind, is_about_listing, is_offer, is_holdable, is_sighted, is_question)
select kind, false, false, false, false, false
from unnest('{account-deleted,telegram-disconnected,access-ended}'::text[]) as kind;

-- Nothing of an account that has left a chat stays there.
create function private.forget_ended_alert() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from watch.alerts where id = new.id;
  delete from watch.chat_paces as pace where chat_id = new.chat_id
    and not exists (select from watch.chats where chats.chat_id = pace.chat_id);
  return null;
end;
$$;
create trigger alerts_without_account_are_forgotten after update of state on watch.alerts for each row
  when (new.user_id is null and new.state not in ('pending', 'sending')) execute function private.forget_ended_alert();

create function private.tell_chats_of_end(kind text, person uuid, chats bigint[]) returns void
  language sql security definer set search_path = ''
as $$
  insert into watch.alerts (chat_id, kind, payload, language)
  select chat.chat_id, tell_chats_of_end.kind, '{}', coalesce(known.language, profiles.language, known.telegram_language)
  from unnest(chats) as chat (chat_id)
  left join watch.chats as known on known.chat_id = chat.chat_id
  left join public.profiles on profiles.id = person
  where chat.chat_id is not null
  order by chat.chat_id
  on conflict do nothing;
$$;
revoke execute on all functions in schema private from public;

insert into watch.alerts (chat_id, kind, payload, language, not_before, created_at)
select chat_id, kind, '{}', language, not_before, created_at from watch.deletion_notices;

CREATE OR REPLACE FUNCTION private.end_chats(person uuid, ended bigint[], why text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.searches where user_id = person order by created_at, id for update;
  perform from watch.chats where chat_id = any (ended) order by chat_id for update;
  if why is not null then
    perform private.tell_chats_of_end(why, person, array(
      select chat_id from public.chats where user_id = person and chat_id = any (ended) and state = 'connected'
    ));
  end if;
  update public.chats set state = 'declined', reason = 'ended', confirmed_at = null, kind = null, title = null
  where user_id = person and chat_id = any (ended);
  delete from watch.chat_questions where user_id = person and chat_id = any (ended);
  update watch.alerts set state = 'undeliverable', last_error = 'ended'
  where user_id = person and chat_id = any (ended) and state = 'pending';
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_chats_of_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Every chat that the account ever used, including removed ones.
  met constant bigint[] := array(
    select chat_id from public.chats where user_id = old.id
    union select chat_id from watch.chat_questions where user_id = old.id
    union select chat_id from watch.alerts where user_id = old.id
    union select chat_id from watch.link_tokens where user_id = old.id and chat_id is not null
    union select telegram_id from watch.telegram_identities where user_id = old.id
  );
  forgotten bigint[];
begin
  perform private.tell_chats_of_end('account-deleted', old.id, array(
    select chat_id from public.chats where user_id = old.id and state = 'connected'
    -- Nobody mails an account without an address.
    union select private.chat_for_notices(old.id) where coalesce(old.email, '') = ''
  ));

  perform from watch.chats where chat_id = any (met) order by chat_id for update;
  delete from public.chats where user_id = old.id;

  forgotten := array(
    select id from unnest(met) as id where not exists (select from public.chats where chats.chat_id = id)
  );
  delete from watch.chats where chat_id = any (forgotten);
  delete from watch.chat_paces where chat_id = any (forgotten);
  delete from watch.moved_chats where from_chat_id = any (forgotten);
  update watch.link_tokens set chat_id = null where chat_id = any (forgotten);

  -- Other accounts may have added the id of such a chat without its consent: they keep the id, but not the name.
  update watch.chats set kind = null, title = null, language = null, telegram_language = null, asked_id_at = null,
    muted_until = null
  where chat_id = any (met) and not exists (
    select from public.chats where chats.chat_id = watch.chats.chat_id and chats.state not in ('waiting', 'declined')
  );

  -- The key of a feed for only their URL contains the URL. A feed that is being checked is deleted once it is idle.
  delete from watch.feeds where key in (
    select feeds.key from watch.feeds
    where feeds.source = 'by-url'
      and exists (select from watch.compiled_searches as own where own.feed_key = feeds.key and own.user_id = old.id)
      and not exists (select from watch.compiled_searches as own where own.feed_key = feeds.key and own.user_id <> old.id)
      and not exists (select from watch.demo_filters where demo_filters.feed_key = feeds.key)
    for update skip locked
  );
  return old;
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
  where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id is not distinct from former.user_id
    and kept.listing_id is not distinct from former.listing_id
    and kept.kind = former.kind and kept.event_key = former.event_key;
  update watch.alerts set chat_id = to_chat where chat_id = from_chat;
end;
$function$;

drop table watch.deletion_notices;
