/**
 * Starts searches on a feed. A new search is covered from now on, and its owner is told what is on offer. One that was covered
 * before goes on from there: what happened since is told, or summed up if it was stopped for longer than a day.
 *
 *   new ──first check──► follows its feed ──edited, paused, without a chat, moved──► covered until then ──► follows its feed
 */
import type { Listing } from "#core/listing/listing.ts";
import { inSavepoint, runIsolated } from "#platform/database/isolate.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { createFeedIndex, type FeedIndex } from "../check/feed-indexes.ts";
import { createFormerAnchors, type FormerAnchorsOf } from "../check/former-order.ts";
import { readAlertListings } from "../rows/alert-listings.ts";
import { readChangedSince, readTold, reviveAlerts } from "../rows/changed-since.ts";
import { findCutsSinceTold } from "../rows/cuts-since-told.ts";
import { readListed } from "../rows/feed-memory.ts";
import { markStarted, readStartingSearches, type StartingSearch } from "../rows/feeds/coverage.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import { recordSearchGaps, type SearchGap, tellGaps } from "../rows/feeds/gaps.ts";
import { readmit, setAside } from "../rows/quarantine.ts";
import { alertSourceUp } from "../rows/source-alerts.ts";
import { writeEvents } from "../rows/write-events.ts";
import { applyRules } from "./apply-rules.ts";
import {
  type Continued,
  changesSince,
  type DecidedChange,
  eventsOfChanges,
  seenWithoutCut,
} from "./catch-up.ts";
import { decideChange } from "./decide-change.ts";
import { addSummaries, type Summary } from "./start-summaries.ts";

/** Per call; the rest follow in the next call, so that many searches do not block the feed. */
const STARTED_AT_ONCE = 2_000;
/** More would take long to match and add little. */
const MOST_LISTED = 2_000;
/** After a longer stop, what came meanwhile is summed up. */
const TOLD_WITHIN_MS = 86_400_000;

interface Start {
  readonly feed: FeedRow;
  readonly now: number;
  /**
   * How old the feed's last reading is. The present one was as deep as its searches need; otherwise those that need more wait for
   * the next check. An earlier one is too old for new searches, and tells others what they have missed.
   */
  readonly reading: "present" | "recent" | "earlier";
}

/** The caller has locked the feed, which has been checked before. Returns the number of started searches. */
export async function startSearches(db: Db, start: Start): Promise<number> {
  const { feed } = start;
  const now = new Date(start.now);
  const all = await readStartingSearches(db, feed.key, { limit: STARTED_AT_ONCE, now });
  if (all.length === 0) return 0;
  const anchorsOf = await createFormerAnchors(db, feed, all);
  const isRecentEnough = ({ since }: StartingSearch) =>
    start.reading !== "earlier" || (since !== null && feed.coveredAt !== null && since < feed.coveredAt);
  const canStart = (search: StartingSearch) =>
    start.reading === "present" ||
    (isRecentEnough(search) && (feed.isReadToEnd || anchorsOf(search)?.last !== -1));
  const starting = all.filter(canStart);
  const culprits = await runIsolated(starting, (some) =>
    inSavepoint(db, (part) => startSome(part, start, { starting: some, anchorsOf })),
  );
  for (const { one, error } of culprits) {
    const { filterId: subject, filterUrl: version } = one;
    await setAside(db, { kind: "search", subject, version, error }, now);
  }
  return starting.length - culprits.length;
}

async function startSome(
  db: Db,
  start: Start,
  { starting, anchorsOf }: { starting: readonly StartingSearch[]; anchorsOf: FormerAnchorsOf },
): Promise<void> {
  const { feed } = start;
  await markStarted(db, feed.key, starting, new Date(start.now));
  await readmit(
    db,
    "search",
    starting.map(({ filterId }) => filterId),
  );
  const listed = await readListed(db, feed.key, MOST_LISTED);
  const fresh = starting.filter(({ since }) => since === null);
  if (fresh.length > 0) await greet(db, start, { fresh, listed });
  const continued = starting.filter(({ since }) => since !== null);
  if (continued.length > 0) await goOn(db, start, { continued, listed, anchorsOf });
}

async function greet(
  db: Db,
  { feed, now }: Start,
  { fresh, listed }: { fresh: readonly StartingSearch[]; listed: readonly Listing[] },
): Promise<void> {
  const index = indexOf(feed, fresh);
  const found = new Map(fresh.map(({ filterId }) => [filterId, [] as Listing[]]));
  for (const listing of listed) for (const id of index.find(listing)) found.get(id)?.push(listing);
  const isAtLeast = !feed.isReadToEnd || listed.length === MOST_LISTED;
  const summaries = fresh.map((search): Summary => {
    return { search, homes: found.get(search.filterId) ?? [], isAtLeast, occasion: undefined };
  });
  await addSummaries(db, summaries, new Date(now));
}

function indexOf(
  feed: FeedRow,
  searches: readonly Pick<StartingSearch, "filterId" | "searchKey">[],
): FeedIndex {
  const index = createFeedIndex(feed.source);
  for (const search of searches) index.put(search);
  return index;
}

interface GoingOn {
  readonly continued: readonly StartingSearch[];
  readonly listed: readonly Listing[];
  readonly anchorsOf: FormerAnchorsOf;
}

async function goOn(db: Db, start: Start, { continued, listed, anchorsOf }: GoingOn): Promise<void> {
  const { feed } = start;
  const now = new Date(start.now);
  const searches = continuedOf(feed, continued, anchorsOf);
  const earliest = new Date(Math.min(...searches.map(({ since }) => since.getTime())));
  const changes = changesSince(feed, await readChangedSince(db, feed.key, earliest), searches);
  const isLong = ({ stoppedAt, resumedAt }: StartingSearch) =>
    stoppedAt !== null && stopEnd(stoppedAt, resumedAt, now).getTime() - stoppedAt.getTime() > TOLD_WITHIN_MS;
  const longIds = new Set(continued.filter(isLong).map(({ filterId }) => filterId));

  const told = changes.filter(({ search }) => !longIds.has(search.filterId));
  const alertListingOf = await readAlertListings(db, [...new Set(told.map(({ listing }) => listing))]);
  const seen = seenWithoutCut(told);
  const cuts = await findCutsSinceTold(db, [...seen.keys()], (listing) => seen.get(listing) ?? []);
  const events = await applyRules(db, eventsOfChanges(told, cuts, alertListingOf), new Map());
  await writeEvents(db, feed, events, now);
  await addOtherSummaries(db, start, { continued, searches, changes, longIds, listed });
  const filterIds = continued.map(({ filterId }) => filterId);
  await reviveAlerts(db, filterIds, { longIds, now });
  await alertSourceUp(db, { feedKey: feed.key, filterIds }, { now, mayHaveMissed: false });
  const gaps = searches.flatMap((search) => gapOf(start, search, listed));
  await recordSearchGaps(db, feed.key, gaps);
  if (gaps.length > 0) await tellGaps(db, now);
}

/** A person may resume while no watcher runs. What was resumed in another way ended when the watcher saw it. */
function stopEnd(stoppedAt: Date, resumedAt: Date | null, now: Date): Date {
  return resumedAt && resumedAt >= stoppedAt && resumedAt < now ? resumedAt : now;
}

function continuedOf(
  feed: FeedRow,
  searches: readonly StartingSearch[],
  anchorsOf: FormerAnchorsOf,
): Continued[] {
  const fits = fitting(indexOf(feed, searches));
  const former = searches.map(({ filterId, searchKey, formerKey }) => {
    return { filterId, searchKey: formerKey ?? searchKey };
  });
  const didFit = fitting(indexOf(feed, former));
  return searches.map((search) => ({
    filterId: search.filterId,
    since: search.since ?? new Date(0),
    isEdited: search.formerKey !== null && search.formerKey !== search.searchKey,
    anchors: anchorsOf(search),
    fits: (listing) => fits(search.filterId, listing),
    didFit: (listing) => didFit(search.filterId, listing),
  }));
}

/** Remembers the last answer, because searches are asked one after the other about the same listing. */
function fitting(index: FeedIndex): (filterId: string, listing: Listing) => boolean {
  const known = new WeakMap<Listing, ReadonlySet<string>>();
  return (filterId, listing) => {
    const ids = known.get(listing) ?? new Set(index.find(listing));
    known.set(listing, ids);
    return ids.has(filterId);
  };
}

interface SummedUp extends Omit<GoingOn, "anchorsOf"> {
  readonly searches: readonly Continued[];
  readonly changes: readonly DecidedChange[];
  readonly longIds: ReadonlySet<string>;
}

/** After a long stop: the homes that came meanwhile. After an edit: those on offer that only fit the new wish. */
async function addOtherSummaries(db: Db, { feed, now }: Start, all: SummedUp): Promise<void> {
  const { continued, searches, changes, longIds, listed } = all;
  const summed = searches.filter(({ filterId, isEdited }) => isEdited || longIds.has(filterId));
  if (summed.length === 0) return;
  const newsOf = Map.groupBy(
    changes.filter(({ change }) => decideChange(change).unknown !== null),
    ({ search }) => search.filterId,
  );
  const searchOf = new Map(continued.map((search) => [search.filterId, search]));
  const homesOf = (search: Continued): Listing[] => {
    const isLong = longIds.has(search.filterId);
    const news = new Set((newsOf.get(search.filterId) ?? []).map(({ listing }) => listing.propertyCode));
    return listed.filter((listing) => {
      if (!search.fits(listing)) return false;
      if (news.has(listing.propertyCode)) return isLong;
      return search.isEdited && (feed.source === "by-url" || !search.didFit(listing));
    });
  };
  const found = summed.map((search) => ({ search, homes: homesOf(search) }));
  const people = [...new Set(continued.map(({ userId }) => userId))];
  const codes = [...new Set(found.flatMap(({ homes }) => homes.map(({ propertyCode }) => propertyCode)))];
  const told = await readTold(db, people, codes);
  const isAtLeast = listed.length === MOST_LISTED;
  const summaries = found.flatMap(({ search, homes }): Summary[] => {
    const of = searchOf.get(search.filterId);
    if (!of) return [];
    const unknown = homes.filter(({ propertyCode }) => !told.has(`${of.userId} ${propertyCode}`));
    const occasion = search.isEdited ? ("edit" as const) : ("pause" as const);
    return [{ search: of, homes: unknown, isAtLeast, occasion }];
  });
  await addSummaries(db, summaries, new Date(now));
}

/** The feed does not reach back to what the one before had covered. */
function gapOf({ feed, now }: Start, search: Continued, listed: readonly Listing[]): SearchGap[] {
  const { filterId, since, isEdited, anchors, fits, didFit } = search;
  if (!anchors || anchors.last !== -1 || feed.isReadToEnd || !feed.coveredAt) return [];
  const isShared = !isEdited || listed.some((listing) => fits(listing) && didFit(listing));
  if (!isShared) return [];
  return [{ filterId, cause: "feed-moved", from: since, until: feed.coveredAt, tellAt: new Date(now) }];
}
