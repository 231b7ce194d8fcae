/** The recipients with open alerts in the outbox, and which of their searches are muted. */
import type { PendingQuery, Row, Sql } from "postgres";

export interface Recipient {
  readonly chatId: string;
  readonly userId: string;
}

/** Stands for no account in comparisons, which are never true of null. As in the index `alerts_open_of_a_person`. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The account of the alert that is named so, or NOBODY. */
export function accountOf(sql: Sql, alert = "alerts"): PendingQuery<Row[]> {
  return sql`coalesce(${sql(alert)}.user_id, ${sql.unsafe(`'${NOBODY}'`)})`;
}

/** Which of a person's searches are muted in a chat now. */
export interface QuietSearches {
  readonly silentIds: readonly string[];
  readonly speakingIds: readonly string[];
  /** Alerts for no search, or for all, wait too. */
  readonly isAllSilent: boolean;
}

export interface QuietRecipient extends Recipient {
  readonly silence?: QuietSearches;
}

export interface OpenRecipient extends Recipient {
  /** Increases when an alert is added. */
  readonly newestPosition: number;
}

/** Every person and chat with open alerts. The cost grows with their number, not with that of the alerts. */
export async function findOpenRecipients(sql: Sql): Promise<OpenRecipient[]> {
  return sql<OpenRecipient[]>`
    with recursive recipients as (
      (
        select chat_id, ${accountOf(sql)} as user_id from watch.alerts
        where state in ('pending', 'sending') and not exists (select from watch.pause)
        order by 1, 2 limit 1
      )
      union all
      select next.chat_id, next.user_id
      from recipients cross join lateral (
        select alerts.chat_id, ${accountOf(sql)} as user_id from watch.alerts
        where state in ('pending', 'sending')
          and (alerts.chat_id, ${accountOf(sql)}) > (recipients.chat_id, recipients.user_id)
        order by 1, 2 limit 1
      ) as next
    )
    select recipients.chat_id::text as "chatId", recipients.user_id as "userId", newest.position::float8 as "newestPosition"
    from recipients cross join lateral (
      select position from watch.alerts
      where state in ('pending', 'sending') and alerts.chat_id = recipients.chat_id and ${accountOf(sql)} = recipients.user_id
      order by position desc limit 1
    ) as newest`;
}

/** The recipients with their muted searches, as a row set. */
export function recipientRows(sql: Sql, recipients: readonly QuietRecipient[]): PendingQuery<Row[]> {
  const rows = recipients.map(({ silence, ...recipient }) => ({
    ...recipient,
    silent: silence?.silentIds ?? [],
    speaking: silence?.speakingIds ?? [],
    isAllSilent: silence?.isAllSilent ?? false,
  }));
  return sql`
    jsonb_to_recordset(${sql.json(rows as never)}) as recipient(
      "chatId" text, "userId" uuid, silent uuid[], speaking uuid[], "isAllSilent" boolean
    )`;
}

/** An alert waits if all active searches it is for are muted. */
export function waits(sql: Sql): PendingQuery<Row[]> {
  return sql`(
    kind in (select alert_kinds.kind from watch.alert_kinds where is_holdable) and case
      when coalesce(search_ids, '{}') = '{}' then recipient."isAllSilent"
      else search_ids && recipient.silent and not (search_ids && recipient.speaking)
    end
  )`;
}
