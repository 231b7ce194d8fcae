import type { Db } from "#platform/database/json-parameter.ts";
import { addChangeAlerts } from "../rows/changed-listings.ts";
import {
  type FoundAudience,
  type FoundEvent,
  type FoundEvents,
  isPerson,
  type WrittenEvents,
} from "../rows/found-events.ts";
import { addFoundAlerts } from "../rows/found-listings.ts";
import { recordSightings } from "../rows/sightings.ts";

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
