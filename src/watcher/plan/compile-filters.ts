/**
 * Parses saved filters into searches and assigns them to feeds. Requests are rationed here: only searches with a reachable chat
 * get a feed of their own, and one person's new searches get theirs a few at a time.
 */
import { inTransaction } from "#platform/database/in-transaction.ts";
import { type Culprit, runIsolated } from "#platform/database/isolate.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { markIdleFeeds, readLiveFeeds, scheduleNow } from "../rows/feeds/feeds.ts";
import {
  type CompiledSearch,
  findStaleFilters,
  lockPlanning,
  type ReadFilter,
  readSavedLink,
  readStaleFilters,
  saveSearches,
} from "../rows/feeds/searches.ts";
import { inheritPromises } from "../rows/feeds/source-intervals.ts";
import { readmit, setAside } from "../rows/quarantine.ts";
import { applyPlan, type CompileOptions, keyedSearchOf, keysOf, readCosts } from "./apply-plan.ts";
import { compileDemo } from "./compile-demo.ts";
import type { PlannedFeed } from "./feed-cost.ts";
import { createFirstChecks, type FirstChecks, type ParsedFilter } from "./first-checks.ts";
import { type FeedPlan, type KeyedSearch, planFeeds } from "./plan-feeds.ts";

/** The database ends a transaction that is idle for seconds; these are parsed much sooner, also on a slow machine. */
const COMPILED_AT_ONCE = 1_000;

/** Compiles stale filters, all or only the given ones. Returns their number. */
export async function compileFilters(
  options: CompileOptions,
  filterIds?: readonly string[],
): Promise<number> {
  const { sql, attempt, demoFilter } = options;
  const isDemoPaid = await options.mayDemoCost();
  const found = filterIds ?? (await findStaleFilters(sql, new Date(options.now())));
  let compiled = 0;
  const compile = async (some: readonly string[]) => {
    compiled += await inTransaction(sql, (db) => compileSome(db, options, some));
  };
  for (let from = 0; from < found.length; from += COMPILED_AT_ONCE) {
    const some = found.slice(from, from + COMPILED_AT_ONCE);
    // If all of many throw, the cause is not in them.
    await attempt(filterIds ? "changed searches" : "searches", async () => {
      const culprits = await runIsolated(some, compile);
      await inTransaction(sql, (db) => setSearchesAside(db, options, culprits));
    });
  }
  if (demoFilter) {
    await attempt("demo", () =>
      inTransaction(sql, (db) => compileDemo(db, options, { demo: demoFilter, isPaid: isDemoPaid })),
    );
  }
  // A separate transaction avoids deadlock: this locks feeds that checks hold, and checks wait for the searches locked above.
  await inTransaction(options.sql, async (db) => {
    await lockPlanning(db);
    await markIdleFeeds(db, new Date(options.now()));
  });
  return compiled;
}

/** Each would stop the compilation of all searches. */
async function setSearchesAside(
  db: Db,
  { now, logger }: CompileOptions,
  culprits: readonly Culprit<string>[],
): Promise<void> {
  for (const { one: subject, error } of culprits) {
    logger.error({ err: error, searchId: subject }, "a search could not be compiled and is set aside");
    const version = await readSavedLink(db, subject);
    await setAside(db, { kind: "search", subject, version, error }, new Date(now()));
  }
}

async function compileSome(db: Db, options: CompileOptions, some: readonly string[]): Promise<number> {
  await lockPlanning(db);
  const now = new Date(options.now());
  const stale = await readStaleFilters(db, some, now);
  if (stale.length === 0) return 0;
  const filters = stale.map((filter) => ({ filter, parsed: parse(filter) }));
  const firstChecks = await createFirstChecks(db, options.sources, {
    now,
    applicants: filters.filter(needsFirstCheck),
    checksLeft: options.firstChecksLeft,
  });
  const paying = filters.filter((one) => mayCost(one, firstChecks));
  const piggyback = filters.filter((one) => !mayCost(one, firstChecks));
  const feeds = await readLiveFeeds(db);
  const plan = planFeeds({
    feeds: feeds as unknown as PlannedFeed[],
    searches: searchesOf(paying),
    piggyback: searchesOf(piggyback),
    hasOfficial: options.sources.official !== undefined,
    hasByUrl: options.sources.byUrl !== undefined,
    costs: await readCosts(db, options, feeds),
  });
  const heldKeys = stale.map(({ currentFeedKey }) => currentFeedKey);
  await applyPlan(db, plan, { now, options, feeds, heldKeys });
  // A search that waits for its first check stays stale, and is tried again in the next sweep.
  const isWaiting = ({ filter, parsed }: ParsedFilter) =>
    filter.hasReachableChat && parsed !== undefined && plan.unserved.has(parsed.searchKey);
  const compiled = filters.filter((one) => !isWaiting(one));
  await saveSearches(
    db,
    compiled.map(({ filter, parsed }) => compiledOf(filter, parsed, plan)),
    now,
  );
  await inheritPromises(db, movesOf(compiled, plan));
  const wereSetAside = stale.filter(({ wasSetAside }) => wasSetAside);
  await readmit(
    db,
    "search",
    wereSetAside.map(({ filterId }) => filterId),
  );
  const unlessOkSince = new Date(options.now() - options.checkIntervalSeconds * 1000);
  const liveFeed = new Map(feeds.map((feed) => [feed.key, feed]));
  const feedKeyFor = ({ parsed }: ParsedFilter) => plan.feedKeyOf.get(parsed?.searchKey ?? "") ?? "";
  // What was covered until now loses nothing by waiting for the next check of its feed, if another one would cost the others.
  const mayWait = (one: ParsedFilter) => {
    const feed = liveFeed.get(feedKeyFor(one));
    return one.filter.activeSearchKey !== null && feed?.lastOkAt && options.firstChecksLeft(feed.source) < 1;
  };
  const checkedNow = paying.filter((one) => !isResumed(one) && !isUnchanged(one, plan) && !mayWait(one));
  await scheduleNow(db, keysOf(plan, searchesOf(checkedNow)), { now, unlessOkSince });
  const fresh = new Set(
    feeds.filter(({ lastOkAt }) => lastOkAt && lastOkAt >= unlessOkSince).map(({ key }) => key),
  );
  await firstChecks.save({
    begun: checkedNow.filter((one) => needsFirstCheck(one) && !fresh.has(feedKeyFor(one))),
    feedKeyFor,
    waiting: filters.filter(isWaiting),
    seen: stale,
  });
  return stale.length;
}

/** It has a reachable chat, and its first check is still to come. */
function needsFirstCheck(one: ParsedFilter): boolean {
  const { filter, parsed } = one;
  const isActive = parsed?.searchKey === filter.activeSearchKey;
  return filter.hasReachableChat && parsed !== undefined && !isActive && !isResumed(one);
}

/** It goes on after a pause, or with its chat again, and its feed is checked when it is due: as if it had not stopped. */
function isResumed({ filter, parsed }: ParsedFilter): boolean {
  const { activeSearchKey, stoppedSearchKey } = filter;
  return activeSearchKey === null && parsed !== undefined && parsed.searchKey === stoppedSearchKey;
}

/** Saved again, or spelled in another way. A check of it would cost the others. */
function isUnchanged({ filter, parsed }: ParsedFilter, { feedKeyOf }: FeedPlan): boolean {
  const { activeSearchKey, currentFeedKey } = filter;
  return parsed?.searchKey === activeSearchKey && feedKeyOf.get(activeSearchKey ?? "") === currentFeedKey;
}

function mayCost(one: ParsedFilter, firstChecks: FirstChecks): boolean {
  return (
    one.filter.hasReachableChat && (!needsFirstCheck(one) || firstChecks.isAdmitted(one.filter.filterId))
  );
}

function searchesOf(filters: readonly ParsedFilter[]): KeyedSearch[] {
  return filters.flatMap(({ parsed }) => parsed ?? []);
}

/** A paused filter compiles to nothing: it gets no feed and is not matched. */
function parse({ filterUrl, isWatched }: ReadFilter): KeyedSearch | undefined {
  return isWatched ? keyedSearchOf(filterUrl) : undefined;
}

function movesOf(compiled: readonly ParsedFilter[], plan: FeedPlan) {
  const added = new Set(plan.added.map(({ key }) => key));
  return compiled.flatMap(({ filter: { currentFeedKey: fromKey }, parsed }) => {
    const toKey = plan.feedKeyOf.get(parsed?.searchKey ?? "");
    return fromKey && toKey && toKey !== fromKey && added.has(toKey) ? [{ fromKey, toKey }] : [];
  });
}

function compiledOf(filter: ReadFilter, parsed: KeyedSearch | undefined, plan: FeedPlan): CompiledSearch {
  const { filterId, userId, filterUrl, isWatched, hasReachableChat } = filter;
  const read = { filterId, userId, filterUrl, isWatched, hasReachableChat };
  if (!isWatched) return { ...read, searchKey: null, feedKey: null, problem: null };
  if (!parsed) return { ...read, searchKey: null, feedKey: null, problem: "not-a-search" };
  const { searchKey } = parsed;
  const feedKey = plan.feedKeyOf.get(searchKey) ?? null;
  const isAnswerable = feedKey !== null || plan.unserved.has(searchKey);
  return { ...read, searchKey, feedKey, problem: isAnswerable ? null : "no-source" };
}
