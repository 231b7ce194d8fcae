/** What the adverts in a mail mean for the user who received it, given what is already known. */
import type { Listing } from "#core/listing/listing.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { MailEvent } from "../read/mail-event.ts";
import { type MailPerson, readKnownListings } from "../rows/mail-listings.ts";
import { chooseSearches } from "./choose-searches.ts";
import { decideEvent, type EventDecision } from "./decide-event.ts";
import { completedBy, listingOfEvent } from "./listing-of-event.ts";

const MAX_URL_LENGTH = 500;
const MAX_LISTING_ID_LENGTH = 64;

export interface JudgedEvent {
  readonly event: MailEvent;
  readonly listing: Listing;
  readonly decision: EventDecision;
  readonly isHidden: boolean;
  /** The matching searches, and those of them and of the row that send alerts. */
  readonly searchIds: readonly string[];
  readonly alertingIds: readonly string[];
  /** For a price cut: the searches that left the advert out so far. If it passes their rules now, it is new to them. */
  readonly leftOutIds: readonly string[];
  readonly isWanted: boolean;
}

/** Without duplicates and without adverts that exceed the columns' limits. */
export async function judgeEvents(
  db: Db,
  all: readonly MailEvent[],
  { person, userId, sentAt }: { person: MailPerson; userId: string; sentAt: Date },
): Promise<JudgedEvent[]> {
  const events = usableEvents(all);
  const rows = await readKnownListings(
    db,
    userId,
    events.map(({ listingId }) => listingId),
  );
  const knownById = new Map(rows.map((row) => [row.listingId, row]));
  return events.map((event) => {
    const known = knownById.get(event.listingId);
    const mailed = listingOfEvent(event);
    const listing = known?.met ? completedBy(mailed, known.met.listing) : mailed;
    const searchIds = chooseSearches(person.searches, event.searchUrl, listing).map(({ id }) => id);
    const decision = decideEvent(event, known, { sentAt, searchIds });
    const isWanted = known?.isWanted ?? false;
    const foundBy = known?.row?.searchIds ?? [];
    const isCut = decision.act === "cut";
    const alerted = new Set([...searchIds, ...(isCut ? foundBy : [])]);
    const alerting = person.searches.filter(({ id, isPaused }) => alerted.has(id) && !isPaused);
    const leftOutBefore = known?.leftOutIds.filter((id) => !foundBy.includes(id) && searchIds.includes(id));
    return {
      event,
      decision,
      listing: decision.act === "none" ? listing : { ...listing, priceEur: decision.priceEur },
      isHidden: known?.isHidden ?? false,
      searchIds,
      isWanted,
      alertingIds: person.isBanned ? [] : alerting.map(({ id }) => id),
      leftOutIds: isCut && !isWanted ? (leftOutBefore ?? []) : [],
    };
  });
}

function usableEvents(events: readonly MailEvent[]): MailEvent[] {
  const byId = new Map<string, MailEvent>();
  for (const event of events) {
    const isUsable = event.listingId.length <= MAX_LISTING_ID_LENGTH && event.url.length <= MAX_URL_LENGTH;
    if (isUsable && !byId.has(event.listingId)) byId.set(event.listingId, event);
  }
  return [...byId.values()];
}
