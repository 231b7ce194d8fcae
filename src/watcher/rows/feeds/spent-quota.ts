/** A source whose monthly requests are spent: its feeds wait for the next month, and everyone they serve is notified once. */
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds.ts";

export interface SpentQuota {
  readonly source: FeedRow["source"];
  readonly until: Date;
  readonly now: Date;
}

/** Feeds in use that are not marked yet. A feed that is being checked will notice by itself. */
export async function readUnspentFeeds(db: Db, { source, now }: SpentQuota): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from watch.feeds
    where source = ${source} and idle_since is null and (lease_until is null or lease_until <= ${now})
      and (spent_until is null or spent_until <= ${now} or failure_reason is distinct from 'quota-spent')`;
  return rows.map(({ key }) => key);
}

/** `roundsDown`: the number of failed rounds after which people are notified when the source is back. */
export async function markSpent(
  db: Db,
  feeds: readonly { readonly key: string; readonly nextCheckAt: Date | null }[],
  { until, now, roundsDown }: SpentQuota & { roundsDown: number },
): Promise<void> {
  if (feeds.length === 0) return;
  await db`
    with spent as (
      select feeds.key, waiting."nextCheckAt" as next_check_at
      from jsonb_to_recordset(${jsonOf(db, feeds)}) as waiting (key text, "nextCheckAt" timestamptz)
      join watch.feeds on feeds.key = waiting.key
      where feeds.lease_until is null or feeds.lease_until <= ${now}
      order by feeds.key for update of feeds
    )
    update watch.feeds set
      failing_since = coalesce(failing_since, ${now}::timestamptz), failure_reason = 'quota-spent',
      failed_rounds = greatest(failed_rounds, ${roundsDown}), spent_until = ${until},
      next_check_at = coalesce(spent.next_check_at, feeds.next_check_at)
    from spent where feeds.key = spent.key`;
}

/** One notice per connected chat of everyone the source serves, and only one per month. */
export async function alertQuotaSpent(db: Db, { source, until, now }: SpentQuota): Promise<void> {
  const eventKey = `quota-spent until ${until.toISOString().slice(0, 10)}`;
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at)
    select distinct searches.user_id, chats.chat_id, 'source-down', ${eventKey},
      jsonb_build_object(
        'sinceMs', ${now.getTime()}::float8, 'reason', 'quota-spent', 'untilMs', ${until.getTime()}::float8,
        'isServedByMail', watch.is_served_by_mail(searches.user_id)
      ),
      ${now}::timestamptz, ${now}::timestamptz
    from watch.feeds
    join watch.live_searches as searches on searches.feed_key = feeds.key
    join public.chats on chats.user_id = searches.user_id and watch.takes_alerts(chats.state, chats.reason)
      and chats.chat_id::text = any (searches.receiver_ids)
    where feeds.source = ${source} and feeds.failure_reason = 'quota-spent' and feeds.idle_since is null
      and not exists (
        select from watch.alerts as earlier
        where earlier.user_id = searches.user_id and earlier.chat_id = chats.chat_id and earlier.kind = 'source-down'
          and earlier.listing_id is null and earlier.event_key = ${eventKey}
      )
    order by searches.user_id
    on conflict on constraint alert_exists_once do nothing`;
}
