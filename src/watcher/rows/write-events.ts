import { kindsThat } from "#core/alert/alert-kinds.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { addChangeAlerts } from "./changed-listings.ts";
import {
  type FoundAudience,
  type FoundEvent,
  type FoundEvents,
  isPerson,
  type WrittenEvents,
} from "./found-events.ts";
import { addFoundAlerts } from "./found-listings.ts";

const NOTHING: WrittenEvents = { alertCount: 0, newCount: 0, alerted: [] };

/**
 * Writes what a reading of any source means for its audience: the rows of found listings, what rules left out or let pass again,
 * and the alerts, in the transaction that records the reading. Changes come first: a listing that is new to a person has no
 * former price. The same order for every source avoids deadlock.
 */
export async function writeEvents(
  db: Db,
  audience: FoundAudience,
  { found, changed }: FoundEvents,
  now: Date,
): Promise<WrittenEvents> {
  const told = changed.length > 0 ? await addChangeAlerts(db, audience, changed, now) : NOTHING;
  const added = found.length > 0 ? await addFoundAlerts(db, audience, found, now) : NOTHING;
  const alerted = [...told.alerted, ...added.alerted];
  if (!isPerson(audience) || !audience.isBacklog) {
    const keyOf = ({ listingId, eventKey }: Pick<FoundEvent, "listingId" | "eventKey">) =>
      `${listingId} ${eventKey}`;
    const keys = new Set(alerted.map(keyOf));
    const seen = [...changed, ...found].map(({ kind, listingId, eventKey }) => {
      return { kind, listingId, eventKey, isAlerted: keys.has(keyOf({ listingId, eventKey })) };
    });
    await recordSightings(db, audience.source, seen, isPerson(audience) ? audience.seenAt : now);
  }
  return { alertCount: told.alertCount + added.alertCount, newCount: added.newCount, alerted };
}

interface Sighting extends Pick<FoundEvent, "kind" | "listingId" | "eventKey"> {
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
