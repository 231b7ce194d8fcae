/**
 * Parses saved filters into searches and assigns them to feeds. Requests are rationed here: only searches with a reachable chat
 * get a feed of their own, and one person's new searches get theirs a few at a time.
 */
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { type Culprit, runIsolated } from "#platform/database/isolate.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { WatcherSources } from "../check/read-feed.ts";
import { type DemoFilter, readDemoFilters, saveDemoFilter } from "../rows/feeds/demo-filters.ts";
import {
  addFeeds,
  type FeedRow,
  markIdleFeeds,
  readLearnedRates,
  readLiveFeeds,
  scheduleNow,
} from "../rows/feeds/feeds.ts";
import {
  type CompiledSearch,
  findStaleFilters,
  lockFeeds,
  lockPlanning,
  moveSearches,
  type ReadFilter,
  readSavedLink,
  readStaleFilters,
  saveSearches,
} from "../rows/feeds/searches.ts";
import { inheritPromises } from "../rows/feeds/source-intervals.ts";
import { readmit, setAside } from "../rows/quarantine.ts";
import type { CostFacts, PlannedFeed } from "./feed-cost.ts";
import { createFirstChecks, type FirstChecks, type ParsedFilter } from "./first-checks.ts";
import { type FeedPlan, type KeyedSearch, planFeeds } from "./plan-feeds.ts";

/** The database ends a transaction that is idle for seconds; these are parsed much sooner, also on a slow machine. */
const COMPILED_AT_ONCE = 1_000;

export interface CompileOptions {
  readonly sql: Sql;
  readonly sources: WatcherSources;
  readonly demoFilter?: DemoFilter | undefined;
  readonly mayDemoCost: () => Promise<boolean>;
  /** What the requests allow for a new feed. */
  readonly intervalForNew: CostFacts["intervalForNew"];
  /** How many first checks of newcomers leave everybody's interval as it is. */
  readonly firstChecksLeft: (source: FeedRow["source"]) => number;
  readonly checkIntervalSeconds: number;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Compiles stale filters, all or only the given ones. Returns their number. */
export async function compileFilters(
  options: CompileOptions,
  filterIds?: readonly string[],
): Promise<number> {
  const { sql } = options;
  const isDemoPaid = await options.mayDemoCost();
  const found = filterIds ?? (await findStaleFilters(sql, new Date(options.now())));
  let compiled = 0;
  const compile = async (some: readonly string[]) => {
    compiled += await inTransaction(sql, (db) => compileSome(db, options, { some, isDemoPaid }));
  };
  // Even without a search, for the demo.
  if (found.length === 0) await compile([]);
  for (let from = 0; from < found.length; from += COMPILED_AT_ONCE) {
    const culprits = await runIsolated(found.slice(from, from + COMPILED_AT_ONCE), compile);
    await inTransaction(sql, (db) => setSearchesAside(db, options, culprits));
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

async function compileSome(
  db: Db,
  options: CompileOptions,
  { some, isDemoPaid }: { some: readonly string[]; isDemoPaid: boolean },
): Promise<number> {
  await lockPlanning(db);
  const now = new Date(options.now());
  const stale = some.length > 0 ? await readStaleFilters(db, some, now) : [];
  const demo = await staleDemo(db, options.demoFilter, isDemoPaid);
  if (stale.length === 0 && !demo) return 0;
  const filters = stale.map((filter) => ({ filter, parsed: parse(filter) }));
  const firstChecks = await createFirstChecks(db, options.sources, {
    now,
    applicants: filters.filter(needsFirstCheck),
    checksLeft: options.firstChecksLeft,
  });
  const paying = filters.filter((one) => mayCost(one, firstChecks));
  const piggyback = filters.filter((one) => !mayCost(one, firstChecks));
  const demoParsed = demo && keyedSearchOf(demo.filterUrl);
  const paidDemo = isDemoPaid && demoParsed ? [demoParsed] : [];
  const feeds = await readLiveFeeds(db);
  const plan = planFeeds({
    feeds: feeds as unknown as PlannedFeed[],
    searches: [...searchesOf(paying), ...paidDemo],
    piggyback: [...searchesOf(piggyback), ...(demoParsed ? [demoParsed] : [])],
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
  if (demo) {
    const searchKey = demoParsed?.searchKey ?? null;
    const feedKey = plan.feedKeyOf.get(searchKey ?? "") ?? null;
    await saveDemoFilter(db, { ...demo, searchKey, feedKey, mayCost: isDemoPaid });
  }
  const unlessOkSince = new Date(options.now() - options.checkIntervalSeconds * 1000);
  const keys = keysOf(plan, [...searchesOf(paying.filter((one) => !isResumed(one))), ...paidDemo]);
  await scheduleNow(db, keys, { now, unlessOkSince });
  const fresh = new Set(
    feeds.filter(({ lastOkAt }) => lastOkAt && lastOkAt >= unlessOkSince).map(({ key }) => key),
  );
  const feedKeyFor = ({ parsed }: ParsedFilter) => plan.feedKeyOf.get(parsed?.searchKey ?? "") ?? "";
  await firstChecks.save({
    begun: paying.filter((one) => needsFirstCheck(one) && !fresh.has(feedKeyFor(one))),
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

function mayCost(one: ParsedFilter, firstChecks: FirstChecks): boolean {
  return (
    one.filter.hasReachableChat && (!needsFirstCheck(one) || firstChecks.isAdmitted(one.filter.filterId))
  );
}

function searchesOf(filters: readonly ParsedFilter[]): KeyedSearch[] {
  return filters.flatMap(({ parsed }) => parsed ?? []);
}

async function staleDemo(
  db: Db,
  demo: DemoFilter | undefined,
  isPaid: boolean,
): Promise<DemoFilter | undefined> {
  if (!demo) return undefined;
  const held = (await readDemoFilters(db)).find(({ filterId }) => filterId === demo.filterId);
  const isFresh = held?.filterUrl === demo.filterUrl && held.mayCost === isPaid && held.isServed;
  return isFresh ? undefined : demo;
}

/** A paused filter compiles to nothing: it gets no feed and is not matched. */
function parse({ filterUrl, isWatched }: ReadFilter): KeyedSearch | undefined {
  return isWatched ? keyedSearchOf(filterUrl) : undefined;
}

function keyedSearchOf(filterUrl: string): KeyedSearch | undefined {
  const parsed = parseSearchUrl(filterUrl);
  return parsed.ok ? { search: parsed.search, searchKey: parsed.searchKey } : undefined;
}

function movesOf(compiled: readonly ParsedFilter[], plan: FeedPlan) {
  const added = new Set(plan.added.map(({ key }) => key));
  return compiled.flatMap(({ filter: { currentFeedKey: fromKey }, parsed }) => {
    const toKey = plan.feedKeyOf.get(parsed?.searchKey ?? "");
    return fromKey && toKey && toKey !== fromKey && added.has(toKey) ? [{ fromKey, toKey }] : [];
  });
}

export async function readCosts(
  db: Db,
  { intervalForNew }: Pick<CompileOptions, "intervalForNew">,
  feeds: readonly FeedRow[],
): Promise<CostFacts> {
  const rates = await readLearnedRates(db);
  const seconds = new Map(
    feeds.flatMap(({ key, promisedSeconds, intervalSeconds }) =>
      promisedSeconds === null ? [] : [[key, intervalSeconds]],
    ),
  );
  return {
    intervalOf: (key) => seconds.get(key),
    advertsPerHourOf: (key) => rates.get(key),
    intervalForNew,
  };
}

interface Applied {
  readonly now: Date;
  readonly options: Pick<CompileOptions, "checkIntervalSeconds">;
  /** In use. */
  readonly feeds: readonly FeedRow[];
  readonly heldKeys: readonly (string | null)[];
}

/** Locks every feed whose searches change: the old and the new ones. A feed that takes over is checked as often as its parts. */
export async function applyPlan(
  db: Db,
  plan: FeedPlan,
  { now, options, feeds, heldKeys }: Applied,
): Promise<void> {
  const { feedKeyOf, replaced, added } = plan;
  const keys = [...feedKeyOf.values(), ...replaced.keys(), ...replaced.values(), ...heldKeys];
  await lockFeeds(
    db,
    [...new Set(keys)].filter((key) => key !== null),
  );
  const live = new Map(feeds.map((feed) => [feed.key, feed]));
  const taking = [...new Set(replaced.values())].flatMap((toKey) => live.get(toKey) ?? []);
  const withIntervals = [...added, ...taking].map((feed) => {
    const parts = [...replaced].filter(([, toKey]) => toKey === feed.key).map(([fromKey]) => fromKey);
    if (parts.length === 0) return feed;
    const seconds = [feed.key, ...parts].map((key) => live.get(key)?.intervalSeconds ?? Infinity);
    return { ...feed, intervalSeconds: Math.min(...seconds) };
  });
  await addFeeds(db, withIntervals, { now, intervalSeconds: options.checkIntervalSeconds });
  for (const [fromKey, toKey] of replaced) await moveSearches(db, { fromKey, toKey });
}

/** The feeds of these searches, and those that replaced another feed. */
function keysOf({ feedKeyOf, replaced }: FeedPlan, searches: readonly KeyedSearch[]): string[] {
  const own = searches.map(({ searchKey }) => feedKeyOf.get(searchKey) ?? null);
  return [...new Set([...own, ...replaced.values()])].filter((key) => key !== null);
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
