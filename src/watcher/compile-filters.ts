/** Saved filters become searches, and searches find their feeds. */
import type { Sql } from "postgres";
import { parseSearchUrl } from "#core/parse-search-url.ts";
import { type DemoFilter, readDemoFilters, saveDemoFilter } from "#store/demo-filters.ts";
import { addFeeds, hastenFeeds, markIdleFeeds, readLiveFeeds } from "#store/feeds.ts";
import { inTransaction } from "#store/in-transaction.ts";
import type { Db } from "#store/json-parameter.ts";
import {
  type CompiledSearch,
  lockFeeds,
  lockPlanning,
  moveSearches,
  readStaleFilters,
  type StaleFilter,
  saveSearches,
} from "#store/searches.ts";
import type { PlannedFeed } from "./feed-query.ts";
import type { ListingSources } from "./listing-source.ts";
import { type FeedPlan, type KeyedSearch, planFeeds } from "./plan-feeds.ts";

const COMPILED_AT_ONCE = 5_000;

export interface CompileOptions {
  readonly sql: Sql;
  readonly sources: ListingSources;
  readonly demoFilter?: DemoFilter | undefined;
  readonly checkIntervalSeconds: number;
  readonly now: () => number;
}

/** Compiles what is stale, all of it or of some filters. Gives how many there were. */
export async function compileFilters(
  options: CompileOptions,
  filterIds?: readonly string[],
): Promise<number> {
  let compiled = 0;
  let after: string | undefined;
  do {
    const filters = await inTransaction(options.sql, (db) => compileSome(db, options, { filterIds, after }));
    compiled += filters.length;
    after = filters.length < COMPILED_AT_ONCE ? undefined : filters.at(-1)?.filterId;
  } while (after);
  // On its own: it touches feeds that checks hold, while the planning above holds searches that checks wait for.
  await markIdleFeeds(options.sql, new Date(options.now()));
  return compiled;
}

async function compileSome(
  db: Db,
  options: CompileOptions,
  which: { filterIds: readonly string[] | undefined; after: string | undefined },
): Promise<StaleFilter[]> {
  await lockPlanning(db);
  const now = new Date(options.now());
  const stale = await readStaleFilters(db, { ...which, limit: COMPILED_AT_ONCE });
  const demo = await staleDemo(db, options.demoFilter);
  if (stale.length === 0 && !demo) return stale;
  const parsed = stale.map((filter) => ({ filter, parsed: parse(filter) }));
  const demoParsed = demo && keyedSearchOf(demo.filterUrl);
  const searches = [...parsed.flatMap(({ parsed }) => parsed ?? []), ...(demoParsed ? [demoParsed] : [])];
  const plan = await planFor(db, options, searches);
  await applyPlan(db, plan, { now, options });
  await saveSearches(
    db,
    parsed.map(({ filter, parsed }) => compiledOf(filter, parsed, plan)),
    now,
  );
  if (demo) {
    const searchKey = demoParsed?.searchKey ?? null;
    await saveDemoFilter(db, { ...demo, searchKey, feedKey: plan.feedKeyOf.get(searchKey ?? "") ?? null });
  }
  const recently = new Date(options.now() - options.checkIntervalSeconds * 1000);
  await hastenFeeds(db, keysOf(plan), { now, unlessOkSince: recently });
  return stale;
}

async function staleDemo(db: Db, demo: DemoFilter | undefined): Promise<DemoFilter | undefined> {
  if (!demo) return undefined;
  const held = (await readDemoFilters(db)).find(({ filterId }) => filterId === demo.filterId);
  return held?.filterUrl === demo.filterUrl && held.feedKey !== null ? undefined : demo;
}

/** A paused filter is compiled to nothing: it is neither planned for nor matched. */
function parse({ filterUrl, isWatched }: StaleFilter): KeyedSearch | undefined {
  return isWatched ? keyedSearchOf(filterUrl) : undefined;
}

function keyedSearchOf(filterUrl: string): KeyedSearch | undefined {
  const parsed = parseSearchUrl(filterUrl);
  return parsed.ok ? { search: parsed.search, searchKey: parsed.searchKey } : undefined;
}

async function planFor(
  db: Db,
  { sources }: CompileOptions,
  searches: readonly KeyedSearch[],
): Promise<FeedPlan> {
  const feeds = (await readLiveFeeds(db)) as unknown as PlannedFeed[];
  return planFeeds({
    feeds,
    searches,
    hasOfficial: sources.official !== undefined,
    hasByUrl: sources.byUrl !== undefined,
  });
}

async function applyPlan(
  db: Db,
  plan: FeedPlan,
  { now, options }: { now: Date; options: CompileOptions },
): Promise<void> {
  await addFeeds(db, plan.added, { now, intervalSeconds: options.checkIntervalSeconds });
  await lockFeeds(db, [...new Set([...keysOf(plan), ...plan.replaced.keys(), ...plan.replaced.values()])]);
  for (const [fromKey, toKey] of plan.replaced) await moveSearches(db, fromKey, toKey);
}

function keysOf({ feedKeyOf, replaced }: FeedPlan): string[] {
  return [...feedKeyOf.values(), ...replaced.values()].filter((key) => key !== null);
}

function compiledOf(filter: StaleFilter, parsed: KeyedSearch | undefined, plan: FeedPlan): CompiledSearch {
  if (!filter.isWatched) return { ...filter, searchKey: null, feedKey: null, problem: null };
  if (!parsed) return { ...filter, searchKey: null, feedKey: null, problem: "not-a-search" };
  const feedKey = plan.feedKeyOf.get(parsed.searchKey) ?? null;
  return { ...filter, searchKey: parsed.searchKey, feedKey, problem: feedKey === null ? "no-source" : null };
}
