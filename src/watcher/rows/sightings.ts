import { kindsThat } from "#core/alert/alert-kinds.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { FoundAudience, FoundEvent } from "./found-events.ts";

export interface Sighting extends Pick<FoundEvent, "kind" | "listingId" | "eventKey"> {
  readonly isAlerted: boolean;
}

/** For announced events, and for those that another source saw first: only these can be compared. */
export async function recordSightings(
  db: Db,
  source: FoundAudience["source"],
  sightings: readonly Sighting[],
  seenAt: Date,
): Promise<void> {
  const kinds = new Set<string>(kindsThat("isSighted"));
  const compared = sightings.filter(({ kind }) => kinds.has(kind));
  if (compared.length === 0) return;
  await db`
    insert into watch.sightings (listing_id, event_key, source, seen_at)
    select distinct "listingId", "eventKey", ${source}::text, ${seenAt}::timestamptz
    from jsonb_to_recordset(${jsonOf(db, compared)}) as sighted ("listingId" text, "eventKey" text, "isAlerted" boolean)
    where "isAlerted" or exists (
      select from watch.sightings as seen where seen.listing_id = "listingId" and seen.event_key = "eventKey"
    )
    order by 1, 2
    on conflict do nothing`;
}
