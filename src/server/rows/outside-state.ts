import type { Sql } from "postgres";

/** The result of the latest attempts of all processes. */
export interface OutsideState {
  readonly isWritable: boolean;
  /** Telegram refused the bot's token when it was last used. */
  readonly isTokenRefused: boolean;
  /** All feeds failed when last checked, for another reason than a spent quota. */
  readonly isSourceDown: boolean;
  /** Half of the feeds, or the demo's, are late: no process does the watcher's work. */
  readonly areChecksLate: boolean;
  /** Alerts have been due for a while, and none is sent, although Telegram answers. */
  readonly isOutboxStuck: boolean;
}

export async function readOutsideState(sql: Sql): Promise<OutsideState> {
  const [state] = await sql<[OutsideState]>`
    select
      not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean) as "isWritable",
      exists (select from watch.sender where refused_since is not null) as "isTokenRefused",
      (
        select coalesce(bool_and(failing_since is not null and failure_reason is distinct from 'quota-spent'), false)
        from watch.feeds where idle_since is null
      ) as "isSourceDown",
      (
        select count(*) > 0 and (
          2 * count(*) filter (where watch.late_since(feeds, now()) is not null) >= count(*)
          or coalesce(bool_or(watch.late_since(feeds, now()) is not null and exists (
            select from watch.demo_filters as demo where demo.feed_key = feeds.key
          )), false)
        )
        from watch.feeds where idle_since is null
      ) as "areChecksLate",
      (
        exists (
          select from watch.alerts join watch.chats on chats.chat_id = alerts.chat_id and chats.standing = 'ok'
          where alerts.state = 'pending' and alerts.attempts = 0
            and alerts.not_before < now() - interval '15 minutes' and alerts.created_at < now() - interval '15 minutes'
        )
        and not exists (select from watch.alerts where sent_at > now() - interval '10 minutes')
        and not exists (select from watch.pause)
        and not exists (select from watch.sender where away_since is not null or refused_since is not null)
      ) as "isOutboxStuck"`;
  return state;
}
