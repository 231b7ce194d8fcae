import type { Db } from "#platform/database/json-parameter.ts";

/** A sent message is edited for this long: nobody scrolls back further. As in watch.schedule_edits. */
export const EDITED_DAYS = 7;

/** The error of an alert whose searches were all paused, deleted or removed from the chat. */
export const NO_ACTIVE_SEARCH = "no active search";

/**
 * Updates an existing alert when another search causes the same one: the search is added to it. A sent message is
 * edited. An alert that was abandoned for lack of an active search becomes pending again.
 */
export function mergeSearchIds(db: Db, now: Date) {
  return db`
    search_ids = watch.joined_ids(alerts.search_ids, excluded.search_ids),
    edit_due_at = case
      when alerts.state in ('sending', 'sent', 'merged')
        and coalesce(alerts.sent_at, ${now}) > ${now}::timestamptz - ${EDITED_DAYS} * interval '1 day'
      then ${now}::timestamptz
    end,
    edit_until = null,
    edit_attempts = 0,
    is_silent = alerts.is_silent and excluded.is_silent,
    held_at = case when ${isReleased(db)} then null else alerts.held_at end,
    not_before = case when ${isReleased(db)} then excluded.not_before else alerts.not_before end,
    state = case
      when alerts.state = 'undeliverable' and alerts.last_error = ${NO_ACTIVE_SEARCH} then 'pending' else alerts.state
    end
    where alerts.search_ids is not null and not (alerts.search_ids @> excluded.search_ids)`;
}

/** The alert waits for the summary of a folded search, and a search that is not folded found the home too. */
function isReleased(db: Db) {
  return db`(alerts.state = 'pending' and alerts.held_at is not null and alerts.not_before > excluded.not_before
    and excluded.held_at is null)`;
}
