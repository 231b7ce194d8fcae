/** Times in which homes may have been missed: recorded for each search, filled by a deeper reading or told once. */
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export type GapCause = "outage" | "downtime" | "page-limit" | "quota" | "feed-moved";

export interface Gap {
  readonly cause: GapCause;
  readonly from: Date;
  readonly until: Date;
  /** Until then a deeper reading may fill it. */
  readonly tellAt: Date;
}

/** For every search that follows the feed and has a chat. */
export async function recordFeedGap(db: Db, feedKey: string, gap: Gap): Promise<void> {
  await db`
    insert into watch.gaps (search_id, feed_key, cause, from_at, until_at, tell_at)
    select search_id, ${feedKey}, ${gap.cause}, greatest(${gap.from}, from_at), ${gap.until}, ${gap.tellAt}
    from watch.coverage
    where until_at is null and feed_key = ${feedKey} and from_at < ${gap.until} order by search_id
    on conflict do nothing`;
}

export interface SearchGap extends Gap {
  readonly filterId: string;
}

export async function recordSearchGaps(db: Db, feedKey: string, gaps: readonly SearchGap[]): Promise<void> {
  if (gaps.length === 0) return;
  await db`
    insert into watch.gaps (search_id, feed_key, cause, from_at, until_at, tell_at)
    select "filterId", ${feedKey}, cause, "from", until, "tellAt"
    from jsonb_to_recordset(${jsonOf(db, gaps)}) as gaps (
      "filterId" uuid, cause text, "from" timestamptz, until timestamptz, "tellAt" timestamptz
    )
    where "from" < until order by "filterId"
    on conflict do nothing`;
}

/** Since when gaps of a feed are neither told nor filled; null if there are none. */
export async function readOpenGap(db: Db, feedKey: string): Promise<Date | null> {
  const [row] = await db<[{ from: Date | null }]>`
    select min(from_at) as "from" from watch.gaps
    where feed_key = ${feedKey} and told_at is null and filled_at is null`;
  return row.from;
}

/** A deeper reading has closed them, for the searches that it was for. */
export async function fillGaps(db: Db, feedKey: string, now: Date): Promise<void> {
  await db`
    update watch.gaps set filled_at = ${now}
    where feed_key = ${feedKey} and told_at is null and filled_at is null and exists (
      select from watch.coverage where coverage.search_id = gaps.search_id and coverage.until_at is null
    )`;
}

/**
 * Tells each gap once: one notice per chat of the searches, from the earliest to the latest of their gaps. A chat that was just
 * told by "source up" that homes may be missing is not told again. While a search is paused or has no chat, its gaps wait.
 */
export async function tellGaps(db: Db, now: Date): Promise<number> {
  const due = await db`
    with due as (
      update watch.gaps set told_at = ${now}
      where tell_at <= ${now} and told_at is null and filled_at is null and exists (
        select from public.searches as saved
        join public.chats on chats.user_id = saved.user_id and watch.takes_alerts(chats.state, chats.reason)
          and chats.chat_id::text = any (saved.receiver_ids)
        where saved.id = gaps.search_id and not saved.is_paused
      )
      returning search_id, cause, from_at, until_at
    )
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, search_ids, not_before, created_at)
    select saved.user_id, chats.chat_id, 'gap', max(due.until_at)::text,
      jsonb_build_object(
        'fromMs', extract(epoch from min(due.from_at)) * 1000, 'untilMs', extract(epoch from max(due.until_at)) * 1000,
        'cause', min(due.cause)
      ),
      array_agg(distinct saved.id), ${now}, ${now}
    from due
    join public.searches as saved on saved.id = due.search_id
    join public.chats on chats.user_id = saved.user_id and watch.takes_alerts(chats.state, chats.reason)
      and chats.chat_id::text = any (saved.receiver_ids)
    where not exists (
      select from watch.alerts as notice
      where notice.user_id = saved.user_id and notice.chat_id = chats.chat_id and notice.kind = 'source-up' and notice.listing_id is null
        and (notice.payload ->> 'mayHaveMissed')::boolean and notice.created_at >= due.until_at
    )
    group by saved.user_id, chats.chat_id
    order by saved.user_id, chats.chat_id
    on conflict on constraint alert_exists_once do nothing
    returning id`;
  return due.length;
}
