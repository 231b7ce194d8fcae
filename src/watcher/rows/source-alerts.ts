/**
 * Alerts that the source is down, and up again, for the chats of a feed's searches. Each feed writes its own; if several say the
 * same to one chat, the sender sends one.
 */
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

/** One notice per connected chat of the feed's searches. */
export async function alertSourceDown(
  db: Db,
  feedKey: string,
  { since, payload, now }: { since: Date; payload: unknown; now: Date },
): Promise<void> {
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at)
    select distinct searches.user_id, chats.chat_id, 'source-down', ${since.toISOString()}, ${jsonOf(db, payload)}::jsonb,
      ${now}::timestamptz, ${now}::timestamptz
    from watch.live_searches as searches
    join public.chats on chats.user_id = searches.user_id and watch.takes_alerts(chats.state, chats.reason)
      and chats.chat_id::text = any (searches.receiver_ids)
    where searches.feed_key = ${feedKey}
    order by searches.user_id, chats.chat_id
    on conflict on constraint alert_exists_once do nothing`;
}

/**
 * The source is up again, for people who were notified that it is down and not yet that it is up. An alert that was not sent because
 * another feed of the person was still down does not count, except for its note that listings may have been missed.
 */
export async function alertSourceUp(
  db: Db,
  people: { feedKey: string; filterIds?: readonly string[] },
  { now, mayHaveMissed }: { now: Date; mayHaveMissed: boolean },
): Promise<void> {
  const isMeant = people.filterIds
    ? db`searches.filter_id in (select jsonb_array_elements_text(${jsonOf(db, people.filterIds)})::uuid)`
    : db`true`;
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at)
    select distinct on (blind.user_id, blind.chat_id)
      blind.user_id, blind.chat_id, 'source-up', ${now.toISOString()},
      jsonb_build_object(
        'sinceMs', blind.payload -> 'sinceMs', 'untilMs', ${now.getTime()}::float8,
        'mayHaveMissed', ${mayHaveMissed}::boolean or exists (
          ${upsSince(db)} and later.sent_at is null and (later.payload ->> 'mayHaveMissed')::boolean
        )
      ) || case when blind.payload ->> 'reason' = 'quota-spent' then '{"reason": "quota-spent"}' else '{}' end::jsonb,
      ${now}::timestamptz, ${now}::timestamptz
    from watch.live_searches as searches
    join watch.alerts as blind on blind.user_id = searches.user_id and blind.kind = 'source-down'
      and blind.chat_id::text = any (searches.receiver_ids)
    join public.chats on chats.user_id = blind.user_id and chats.chat_id = blind.chat_id and watch.takes_alerts(chats.state, chats.reason)
    where searches.feed_key = ${people.feedKey} and ${isMeant}
      and blind.created_at > ${now}::timestamptz - interval '90 days'
      and not exists (${upsSince(db)} and (later.state <> 'merged' or later.sent_at is not null))
    order by blind.user_id, blind.chat_id, blind.created_at
    on conflict on constraint alert_exists_once do nothing`;
}

function upsSince(db: Db) {
  return db`
    select from watch.alerts as later
    where later.user_id = blind.user_id and later.chat_id = blind.chat_id and later.kind = 'source-up'
      and later.listing_id is null and later.created_at >= blind.created_at`;
}
