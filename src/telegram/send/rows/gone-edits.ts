/** Edits of sent alerts whose home has ended, or is on offer again. */
import type { Sql } from "postgres";
import { EDITED_DAYS } from "#store/outbox/merge-search-ids.ts";

const HOUR_MS = 3_600_000;
/** Later than this after the end, an edit is of no use to the reader. */
const WORTH_MS = 24 * HOUR_MS;
/** The rest follow with the next call. */
const AT_ONCE = 500;

/**
 * Schedules edits with the lowest priority. A home has ended when a feed's readings missed its last advert
 * (`portal_listings.gone_at`), never because a feed could not be read. Rows that somebody else is changing wait for the next
 * call, so that no button press waits for this or meets a deadlock. Returns the number of alerts.
 */
export async function scheduleGoneEdits(sql: Sql, nowMs: number): Promise<number> {
  const now = new Date(nowMs);
  const since = new Date(nowMs - WORTH_MS);
  const scheduled = await sql`
    with changed as (
      select home_id from watch.portal_listings where gone_at > ${since}
      union
      select home_id from watch.portal_listings where back_at > ${since}
    ), homes as (
      select home_id,
        case when bool_and(gone_at is not null) then max(gone_at) end as gone_at
      from watch.portal_listings where home_id in (select home_id from changed)
      group by home_id
    ), outdated as (
      select alert.id, homes.gone_at
      from homes join watch.alerts as alert using (home_id)
      where alert.message_id is not null and alert.sent_at > ${new Date(nowMs - EDITED_DAYS * 24 * HOUR_MS)}
        and alert.state in ('sent', 'merged') and alert.gone_shown_at is distinct from homes.gone_at
        and alert.kind in (select kind from watch.alert_kinds where is_offer)
      order by alert.id limit ${AT_ONCE} for update of alert skip locked
    )
    update watch.alerts as alert set
      gone_shown_at = outdated.gone_at,
      -- An edit that is due for another reason will show it too.
      edit_due_at = coalesce(alert.edit_due_at, ${now}),
      edit_attempts = case when alert.edit_due_at is null then 0 else alert.edit_attempts end,
      edit_until = case
        when alert.edit_due_at is null or alert.edit_until is not null
        then coalesce(outdated.gone_at, ${now}) + ${WORTH_MS / 1000} * interval '1 second'
      end
    from outdated where alert.id = outdated.id`;
  return scheduled.count;
}
