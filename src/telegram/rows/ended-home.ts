import type { PendingQuery, Row, Sql } from "postgres";

/**
 * For a `from` clause: the home of an alert, as the person's finds page shows it, if a source saw it end. `alert` is the
 * name of the alert's row in the statement.
 */
export function endedHome(sql: Sql, alert: string): PendingQuery<Row[]> {
  const row = sql(alert);
  return sql`watch.found_homes(${row}.user_id, '{"state": "any"}', coalesce(${row}.home_id, '')) as home
    where home.gone_at is not null`;
}
