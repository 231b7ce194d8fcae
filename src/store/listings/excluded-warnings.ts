/** Warnings whose listings people do not want to be notified of. src/core/warnings/warning.ts has the kinds. */
import type { PendingQuery, Row } from "postgres";
import type { Db } from "#platform/database/json-parameter.ts";

type Fragment = PendingQuery<Row[]>;

export function warningKinds(db: Db, payload: Fragment) {
  return db`array(
    select warning ->> 'kind' from jsonb_array_elements(
      case when jsonb_typeof(${payload} #> '{listing,warnings}') = 'array' then ${payload} #> '{listing,warnings}' else '[]' end
    ) as warnings (warning)
  )`;
}

/** Without warnings the settings are not read. */
export function hasExcludedWarning(db: Db, { userId, kinds }: { userId: Fragment; kinds: Fragment }) {
  return db`(
    ${kinds} <> '{}' and exists (
      select from public.find_settings as wishes
      where wishes.user_id = ${userId} and wishes.excluded_warnings && ${kinds}
    )
  )`;
}
