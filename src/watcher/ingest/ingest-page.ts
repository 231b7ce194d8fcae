/**
 * Writes the alerts about new listings on a page while the check reads on. They wait for the older ones of the next pages. The feed's memory is written only when the reading
 * is complete: a check that dies before that is repeated as a whole, and alerts that exist are not written again.
 */
import type { Listing } from "#core/listing/listing.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { FeedIndexes } from "../check/feed-indexes.ts";
import { readAlertListings } from "../rows/alert-listings.ts";
import { keepAhead } from "../rows/alerts-ahead.ts";
import { findCutsSinceTold } from "../rows/cuts-since-told.ts";
import { readMemory } from "../rows/feed-memory.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import { linkReadverts, readMarketListings, recordListings } from "../rows/portal-listings.ts";
import { writeEvents } from "../rows/write-events.ts";
import { applyRules } from "./apply-rules.ts";
import { detectChanges } from "./detect-changes.ts";
import { foundEventsOf } from "./events-of-finding.ts";
import { listingRowOf } from "./listing-rows.ts";
import { marketChangesOf } from "./market-changes.ts";

/** What a check has written before its reading was complete. */
export interface PagesAhead {
  /** When the first of them was written. */
  readonly sinceMs: number;
  readonly alerts: number;
  /** The listings that alerts were written for, and the feed's revision at that time. */
  readonly revisionOf: ReadonlyMap<string, number>;
}

interface Page {
  readonly feed: FeedRow;
  readonly listings: readonly Listing[];
  readonly indexes: FeedIndexes;
  readonly now: number;
  readonly before: PagesAhead | undefined;
}

/** The caller holds the feed's lease and has locked its row. The feed has been checked before. */
export async function ingestPage(db: Db, page: Page): Promise<PagesAhead | undefined> {
  const { feed, before } = page;
  const now = new Date(page.now);
  const memory = await readMemory(db, feed, page.listings);
  const changes = detectChanges({ listings: page.listings, isWhole: false, total: null }, memory);
  const codes = changes.fresh.map(({ propertyCode }) => propertyCode);
  const market = await readMarketListings(db, codes);
  // Changes of known ones are written with the complete reading.
  const news = marketChangesOf({ ...changes, changed: [], back: [] }, market, feed);
  const index = await page.indexes.at(db, feed);
  const filtersOf = new Map(news.fresh.map((listing) => [listing.propertyCode, index.find(listing)]));
  const fresh = page.listings.filter(({ propertyCode }) => (filtersOf.get(propertyCode) ?? []).length > 0);
  if (fresh.length === 0) return before;
  const alertListingOf = await readAlertListings(db, fresh);
  const rows = fresh.map((listing) => listingRowOf(listing, alertListingOf(listing).warnings, now));
  await recordListings(db, rows, now);
  const sinceMs = before?.sinceMs ?? page.now;
  const freshCodes = fresh.map(({ propertyCode }) => propertyCode);
  const former = await linkReadverts(db, freshCodes, new Date(sinceMs));
  const find = ({ propertyCode }: Listing) => filtersOf.get(propertyCode) ?? [];
  const cuts = await findCutsSinceTold(db, fresh, find);
  const none = { changed: [], back: [], gone: [] };
  const plain = foundEventsOf({ ...none, fresh, cuts, former, alertListingOf, now, find });
  const wordsOf = new Map(fresh.map(({ propertyCode, wording }) => [propertyCode, wording?.words]));
  const { alertCount } = await writeEvents(db, feed, await applyRules(db, plain, wordsOf), now);
  const ahead = {
    sinceMs,
    alerts: (before?.alerts ?? 0) + alertCount,
    revisionOf: new Map([
      ...(before?.revisionOf ?? []),
      ...freshCodes.map((code) => [code, feed.revision] as const),
    ]),
  };
  await keepAhead(db, { ...writtenAhead(ahead), now });
  return ahead;
}

export function writtenAhead({ sinceMs, revisionOf }: PagesAhead) {
  return { codes: [...revisionOf.keys()].toReversed(), since: new Date(sinceMs) };
}
