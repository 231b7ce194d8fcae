/** SQL for the facts that decide whether, when and how an alert is sent. The decisions are in decide-alert.ts and message-of.ts. */
import type { PendingQuery, Row, Sql } from "postgres";
import { NOTICE_KINDS } from "#core/alert/alert-kinds.ts";
import { accountOf } from "./recipients.ts";

/** The columns of an OpenAlert, from the row named `alert`. */
export function alertColumns(sql: Sql): PendingQuery<Row[]> {
  return sql`
    alert.id, watch.people_named(alert.kind, alert.user_id, alert.chat_id, alert.payload) as people, alert.chat_id::text as "chatId", ${accountOf(sql, "alert")} as "userId", alert.kind, alert.payload, alert.attempts, alert.unanswered,
    extract(epoch from alert.mailed_at)::float8 * 1000 as "mailedMs", alert.position::float8 as position,
    extract(epoch from alert.held_at)::float8 * 1000 as "heldMs", alert.is_silent as "isSilent",
    extract(epoch from alert.seen_at)::float8 * 1000 as "seenMs", alert.source,
    extract(epoch from alert.failing_since)::float8 * 1000 as "failingSinceMs",
    alert.event_key as "eventKey", extract(epoch from alert.created_at)::float8 * 1000 as "createdMs",
    link.state as "chatState", link.reason as "chatReason", question.answer as "consentAnswer",
    coalesce((select has_inline_mode from watch.bot), false) as "hasInlineMode",
    (select username from watch.bot where has_main_app) as "mainAppOf",
    exists (
      select from watch.telegram_identities as identity where identity.user_id = alert.user_id and identity.telegram_id = alert.chat_id
    ) as "isOwnTelegram",
    to_jsonb(alert.search_ids) as "searchIds", ${receives(sql)} as receives,
    exists (
      select from watch.shortlists as listed where listed.chat_id = alert.chat_id and listed.home_id = alert.home_id
    ) as "isShortlisted",
    chat.kind as "chatKind", chat.standing as "chatStanding",
    case when alert.state in ('sent', 'merged') or alert.user_id is null then alert.language end as "givenLanguage", chat.language as "chatLanguage",
    chat.last_language as "lastLanguage", chat.telegram_language as "telegramLanguage", person.language as "personLanguage",
    alert.kind = 'watch-started' and exists (
      select from watch.alerts as other
      where ${isOfSameChat(sql)} and other.user_id = alert.user_id and other.kind = 'watch-started' and other.sent_at is not null
    ) as "wasGreeted",
    exists (
      select from public.marks
      where marks.user_id = alert.user_id and marks.home_id = alert.home_id and marks.mark = 'kept'
        and marks.chat_id = alert.chat_id
    ) as "isAskedFor",
    exists (
      select from public.marks
      where marks.user_id = alert.user_id and marks.home_id = alert.home_id and marks.mark = 'hidden'
    ) as "isHidden",
    exists (
      select from public.left_outs
      where left_outs.user_id = alert.user_id and left_outs.listing_id = alert.listing_id and left_outs.returned_at is not null
    ) as "isBroughtBack",
    mark.mark,
    (
      select shown.chat_mark from watch.alerts as shown
      where shown.chat_id = alert.chat_id and shown.home_id = alert.home_id and shown.user_id = alert.user_id
        and shown.chat_mark = mark.mark
      limit 1
    ) as "chatMark",
    alert.home_id as "homeId",
    mark.note, ${travelTimes(sql)} as "travelTimes",
    exists (
      select from watch.alerts as other
      where other.chat_id = alert.chat_id and other.listing_id = alert.listing_id and other.kind = alert.kind
        and other.event_key = alert.event_key and other.user_id <> alert.user_id and other.sent_at is not null
    ) as "isSentForOther",
    ${noticeFacts(sql)} as "noticeFacts",
    (
      select earlier.message_id::text from watch.alerts as earlier
      where earlier.chat_id = alert.chat_id and earlier.message_id is not null
        and earlier.listing_id in (alert.listing_id, alert.payload ->> 'formerListingId')
      order by earlier.position limit 1
    ) as "firstMessageId"`;
}

export function alertJoins(sql: Sql): PendingQuery<Row[]> {
  return sql`
    left join public.chats as link on link.user_id = alert.user_id and link.chat_id = alert.chat_id
    left join watch.chat_questions as question on question.user_id = alert.user_id and question.chat_id = alert.chat_id
    left join watch.chats as chat on chat.chat_id = alert.chat_id
    left join public.profiles as person on person.id = alert.user_id
    left join public.marks as mark on mark.user_id = alert.user_id and mark.home_id = alert.home_id`;
}

/** What the chat receives from the person. An account that a group has not confirmed yet does not fill its shortlist. */
function receives(sql: Sql): PendingQuery<Row[]> {
  return sql`coalesce(
    case when link.confirmed_at is null and alert.chat_id < 0 then (
      select theirs.receives from watch.confirmed_chats join public.chats as theirs using (user_id, chat_id)
      where theirs.chat_id = alert.chat_id order by theirs.created_at, theirs.user_id limit 1
    ) end,
    link.receives, 'everything'
  )`;
}

/** From the listing's coordinates in the alert to the person's saved places. */
function travelTimes(sql: Sql): PendingQuery<Row[]> {
  const rounded = (field: string) => sql`
    case when jsonb_typeof(alert.payload -> 'listing' -> ${field}::text) = 'number'
      then round((alert.payload -> 'listing' ->> ${field}::text)::numeric, 4)::float8 end`;
  return sql`(
    select coalesce(
      jsonb_agg(
        jsonb_build_object('placeId', place.id, 'footMinutes', foot_minutes, 'bicycleMinutes', bicycle_minutes)
      ), '[]'
    )
    from public.own_places as place join watch.travel_times as known on known.place_id = place.id
      and known.latitude = ${rounded("latitude")} and known.longitude = ${rounded("longitude")}
    where place.user_id = alert.user_id
  )`;
}

/** More are too old to matter. */
const NOTICES_AT_MOST = 200;
const TOLD_AT_MOST = 10;

function noticeFacts(sql: Sql): PendingQuery<Row[]> {
  const kinds = sql`(select value from jsonb_array_elements_text(${sql.json(NOTICE_KINDS as never)}) as value)`;
  // Only notices of the policy are read: account notices of other kinds are about the account's safety.
  const isNotice = (name: string) => sql`
    ${sql(name)}.kind in ${kinds} and (${sql(name)}.kind <> 'account-notice' or ${sql(name)}.payload ->> 'notice' = 'chats-lost')`;
  return sql`case when ${isNotice("alert")} then jsonb_build_object(
    'others', (
      select coalesce(
        jsonb_agg(jsonb_build_object(
          'id', id, 'kind', kind, 'notice', payload ->> 'notice', 'eventKey', event_key, 'isOwn', user_id = alert.user_id,
          'isSent', sent_at is not null, 'state', state, 'position', position, 'createdMs', ${milliseconds(sql, "created_at")},
          'sentMs', ${milliseconds(sql, "sent_at")}, 'reason', payload ->> 'reason',
          'isFlapping', coalesce((payload ->> 'isFlapping')::boolean, false)
        ) order by position desc), '[]'
      )
      from (
        select * from watch.alerts as other
        where ${isOfSameChat(sql)} and ${isNotice("other")} and other.id <> alert.id
        order by other.position desc limit ${NOTICES_AT_MOST}
      ) as notices
    ),
    'toldMs', (
      select coalesce(jsonb_agg(told_ms), '[]') from (
        select ${milliseconds(sql, "max(told.sent_at)")} as told_ms from watch.alerts as told
        where told.user_id = alert.user_id and told.listing_id is null and told.sent_at is not null and ${isNotice("told")}
          and (told.kind, told.event_key) is distinct from (alert.kind, alert.event_key)
        group by told.kind, told.event_key order by told_ms desc limit ${TOLD_AT_MOST}
      ) as latest
    ),
    'isOtherSourceDown', alert.kind = 'source-up' and ${isOtherSourceDown(sql)}
  ) end`;
}

function milliseconds(sql: Sql, moment: string): PendingQuery<Row[]> {
  return sql`extract(epoch from ${sql.unsafe(moment)})::float8 * 1000`;
}

function isOfSameChat(sql: Sql): PendingQuery<Row[]> {
  return sql`other.chat_id = alert.chat_id and other.listing_id is null`;
}

/** A search that names the chat has a feed that was reported as down. */
function isOtherSourceDown(sql: Sql): PendingQuery<Row[]> {
  return sql`exists (
    select from watch.live_searches as live join watch.feeds on feeds.key = live.feed_key
    where live.user_id = alert.user_id and alert.chat_id::text = any (live.receiver_ids)
      and feeds.idle_since is null and feeds.failing_since is not null and feeds.failed_rounds >= 3
  )`;
}
