import type { Db } from "#platform/database/json-parameter.ts";

/** A sent message is edited for this long: nobody scrolls back further. As in watch.schedule_edits. */
export const EDITED_DAYS = 7;

/** The error of an alert whose searches were all paused, deleted or removed from the chat. */
export const NO_ACTIVE_SEARCH = "no active search";

/**
 * Updates an existing alert (`held`) when another search causes the same one: the search is added to it. A sent message is
 * edited. An alert that was abandoned for lack of an active search becomes pending again.
 */
export function mergeSearchIds(db: Db, now: Date) {
  return db`
    search_ids = watch.joined_ids(held.search_ids, excluded.search_ids),
    edit_due_at = case
      when held.state in ('sending', 'sent', 'merged')
        and coalesce(held.sent_at, ${now}) > ${now}::timestamptz - ${EDITED_DAYS} * interval '1 day'
      then ${now}::timestamptz
    end,
    edit_until = null,
    edit_attempts = 0,
    is_silent = held.is_silent and excluded.is_silent,
    held_at = case when ${isReleased(db)} then null else held.held_at end,
    not_before = case when ${isReleased(db)} then excluded.not_before else held.not_before end,
    state = case
      when held.state = 'undeliverable' and held.last_error = ${NO_ACTIVE_SEARCH} then 'pending' else held.state
    end
    where held.search_ids is not null and not (held.search_ids @> excluded.search_ids)`;
}

/** The alert waits for the summary of a folded search, and a search that is not folded found the home too. */
function isReleased(db: Db) {
  return db`(held.state = 'pending' and held.held_at is not null and held.not_before > excluded.not_before
    and excluded.held_at is null)`;
}
