/**
 * Starts searches on a feed. A new search takes the feed's current listings as its baseline, and its owner gets one alert that
 * the watch has started. A search that another feed served before gets alerts about what that feed missed.
 *
 *   new ──first check──► started ──its feed is merged into another──► moved (covered_until) ──check of that one──► started
 */
import { detailsOf } from "#core/alert/alert-listing.ts";
import type { Listing } from "#core/listing/listing.ts";
import { inSavepoint, runIsolated } from "#platform/database/isolate.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { createFeedIndex, type FeedIndex } from "../check/feed-indexes.ts";
import { readAlertListings } from "../rows/alert-listings.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import { markStarted, readStartingSearches, type StartingSearch } from "../rows/feeds/searches.ts";
import { readListed, readListedSince } from "../rows/portal-listings.ts";
import { readmit, setAside } from "../rows/quarantine.ts";
import { alertSourceUp } from "../rows/source-alerts.ts";
import { addWatchStartedAlerts } from "../rows/watch-started.ts";
import { applyRules } from "./apply-rules.ts";
import { writeEvents } from "./write-events.ts";

const SHOWN = 3;
/** Per call; the rest follow in the next call, so that many searches do not block the feed. */
const STARTED_AT_ONCE = 2_000;
/** More would take long to match and add little. */
const MOST_LISTED = 2_000;

interface Start {
  readonly feed: FeedRow;
  readonly now: number;
  readonly checkIntervalSeconds: number;
}

/** The caller has locked the feed, which has been checked before. Returns the number of started searches. */
export async function startSearches(db: Db, start: Start): Promise<number> {
  const now = new Date(start.now);
  const starting = await readStartingSearches(db, start.feed.key, { limit: STARTED_AT_ONCE, now });
  const culprits = await runIsolated(starting, (some) =>
    inSavepoint(db, (part) => startSome(part, start, some)),
  );
  for (const { one, error } of culprits) {
    const { filterId: subject, filterUrl: version } = one;
    await setAside(db, { kind: "search", subject, version, error }, now);
  }
  return starting.length - culprits.length;
}

async function startSome(db: Db, start: Start, starting: readonly StartingSearch[]): Promise<void> {
  const idsOf = (searches: readonly StartingSearch[]) => searches.map(({ filterId }) => filterId);
  const now = new Date(start.now);
  await markStarted(db, start.feed.key, idsOf(starting), now);
  await readmit(db, "search", idsOf(starting));
  const { fresh = [], moved = [] } = Object.groupBy(starting, ({ baselineAt }) =>
    baselineAt ? "moved" : "fresh",
  );
  if (fresh.length > 0) await addStartAlerts(db, start, fresh);
  if (moved.length > 0) {
    await catchUp(db, start, moved);
    const people = { feedKey: start.feed.key, filterIds: idsOf(moved) };
    await alertSourceUp(db, people, { now, mayHaveMissed: false });
  }
}

async function addStartAlerts(
  db: Db,
  { feed, now: nowMs }: Start,
  starting: readonly StartingSearch[],
): Promise<void> {
  const now = new Date(nowMs);
  const listed = await readListed(db, feed.key, MOST_LISTED);
  const matchesOf = matchEach(feed, starting, listed);
  const shown = new Set(starting.flatMap(({ filterId }) => matchesOf.get(filterId)?.newest ?? []));
  const alertListingOf = await readAlertListings(db, [...shown]);
  const fresh = starting.map(({ filterId, userId, filterUrl }) => {
    const { count, newest } = matchesOf.get(filterId) ?? { count: 0, newest: [] };
    return {
      userId,
      filterId,
      payload: {
        filterUrl,
        matchCount: count,
        isAtLeast: !feed.isReadToEnd || listed.length === MOST_LISTED,
        newest: newest.map(alertListingOf),
      },
      newest: newest.map((listing) => ({ listingId: listing.propertyCode, details: detailsOf(listing) })),
    };
  });
  await addWatchStartedAlerts(db, fresh, now);
}

function matchEach(feed: FeedRow, starting: readonly StartingSearch[], listed: readonly Listing[]) {
  const found = new Map(starting.map(({ filterId }) => [filterId, { count: 0, newest: [] as Listing[] }]));
  const index = indexOf(feed, starting);
  for (const listing of listed) {
    for (const id of index.find(listing)) {
      const matches = found.get(id);
      if (!matches) continue;
      matches.count += 1;
      if (matches.newest.length < SHOWN) matches.newest.push(listing);
    }
  }
  return found;
}

function indexOf(feed: FeedRow, starting: readonly StartingSearch[]): FeedIndex {
  const index = createFeedIndex(feed.source);
  for (const search of starting) index.put(search);
  return index;
}

/**
 * Adds alerts for listings that came since the old feed's last check, and one interval before: another feed may have seen a
 * listing while that check was still reading. A listing that the person was notified of has a row and is skipped.
 */
async function catchUp(db: Db, start: Start, moved: readonly StartingSearch[]): Promise<void> {
  const { feed, checkIntervalSeconds } = start;
  const now = new Date(start.now);
  const sinceOf = new Map(
    moved.map(({ filterId, baselineAt, coveredUntil }) => {
      const from = (coveredUntil ?? now).getTime() - checkIntervalSeconds * 1000;
      return [filterId, Math.max(from, baselineAt?.getTime() ?? 0)];
    }),
  );
  const earliest = new Date(Math.min(...sinceOf.values()));
  const listed = await readListedSince(db, feed.key, earliest);
  const alertListingOf = await readAlertListings(
    db,
    listed.map(({ listing }) => listing),
  );
  const index = indexOf(feed, moved);
  const events = listed.flatMap(({ listing, firstSeenAt }) => {
    const filterIds = index.find(listing).filter((id) => firstSeenAt.getTime() > (sinceOf.get(id) ?? 0));
    if (filterIds.length === 0) return [];
    const payload = { listing: alertListingOf(listing) };
    const about = { listingId: listing.propertyCode, eventKey: "", payload, details: detailsOf(listing) };
    return [{ ...about, kind: "new" as const, filterIds }];
  });
  await writeEvents(db, feed, await applyRules(db, { found: events, changed: [] }, new Map()), now);
}
