import type { Db } from "#platform/database/json-parameter.ts";

/** Why an alert ended whose searches were all paused, deleted or let go of the chat. */
export const NO_ACTIVE_SEARCH = "no search speaks for it";

/**
 * What becomes of an alert that is there already (`held`) when another search has the same to say: it speaks for that one
 * too. A message that is out is edited; an alert that was given up because nothing spoke for it is told after all.
 */
export function mergeSearchIds(db: Db, now: Date) {
  return db`
    search_ids = watch.joined_ids(held.search_ids, excluded.search_ids),
    edit_due_at = case
      when held.state in ('sending', 'sent', 'merged')
        and coalesce(held.sent_at, ${now}) > ${now}::timestamptz - interval '48 hours'
      then ${now}::timestamptz
    end,
    edit_attempts = 0,
    state = case
      when held.state = 'undeliverable' and held.last_error = ${NO_ACTIVE_SEARCH} then 'pending' else held.state
    end
    where held.search_ids is not null and not (held.search_ids @> excluded.search_ids)`;
}
