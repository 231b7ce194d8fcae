/**
 * Keeps each source within its month: what the requests carry becomes the interval of its feeds and what everyone is told.
 * Spent requests are told to people at once, and to the operator before they are spent.
 */
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { nextMonthOf } from "#core/ports/request-budget.ts";
import { readDemoFilters } from "#store/feeds/demo-filters.ts";
import { type FeedRow, readLiveFeeds } from "#store/feeds/feeds.ts";
import { noteLimit, readUsedRequests } from "#store/feeds/request-budget.ts";
import { readSourceIntervals, saveSourceInterval } from "#store/feeds/source-intervals.ts";
import type { WatcherSources } from "../check/read-feed.ts";
import { mayDemoCost } from "./demo-cost.ts";
import { type MonthPlan, type MonthRequests, planMonth, USUAL_REQUESTS } from "./month-plan.ts";
import { notifyOperatorOfPlan } from "./notify-operator.ts";
import { setFeedIntervals } from "./set-feed-intervals.ts";
import { spendSource } from "./spend-source.ts";

export interface SourcePlansOptions {
  readonly sql: Sql;
  readonly sources: WatcherSources;
  readonly checkIntervalSeconds: number;
  readonly pages: { readonly baseline: number; readonly deep: number };
  readonly now: () => number;
  readonly logger: Logger;
}

export interface SourcePlans {
  /** Looks at what is left of the month, and sets what follows from it. */
  refresh(): Promise<void>;
  mayReadDeep(source: FeedRow["source"]): boolean;
  /** Whether the demo may have a feed of its own. */
  mayDemoCost(): Promise<boolean>;
}

export function createSourcePlans(options: SourcePlansOptions): SourcePlans {
  const { sql, sources, now, checkIntervalSeconds, pages } = options;
  const asked = [
    ...(sources.official ? [{ name: "official" as const, ...sources.official }] : []),
    ...(sources.byUrl ? [{ name: "by-url" as const, ...sources.byUrl }] : []),
  ];
  const readers = new Set<FeedRow["source"]>();
  let isDemoPaid: boolean | undefined;

  async function refreshSource(
    { name, monthlyRequests, spacingMs }: (typeof asked)[number],
    feeds: readonly FeedRow[],
  ): Promise<MonthPlan> {
    const at = new Date(now());
    const month = await readMonth(name, monthlyRequests);
    const heldSeconds = (await readSourceIntervals(sql)).get(name)?.intervalSeconds;
    const input = { checkIntervalSeconds, month, spacingMs, feeds: feedsOrOne(feeds), pages };
    const plan = planMonth({ ...input, heldSeconds });
    const { intervalSeconds } = plan;
    const spentUntil = plan.left === 0 ? new Date(nextMonthOf(now())) : null;
    await saveSourceInterval(sql, name, { intervalSeconds, spentUntil });
    if (spentUntil) await spendSource(sql, { source: name, until: spentUntil, now: at, isKnown: true });
    else await setFeedIntervals(sql, { source: name, intervalSeconds, now: at });
    await notifyOperatorOfPlan(options, { source: name, month, plan, heldSeconds, feeds: feeds.length });
    if (name === asked[0]?.name) {
      const [demo] = await readDemoFilters(sql);
      isDemoPaid = mayDemoCost({ ...input, feeds }, demo);
    }
    return plan;
  }

  async function readMonth(name: FeedRow["source"], limit: number | null): Promise<MonthRequests | null> {
    if (limit === null) return null;
    const at = new Date(now());
    await noteLimit(sql, name, limit, at);
    return { limit, used: await readUsedRequests(sql, name, at), now: now() };
  }

  async function refresh(): Promise<void> {
    const feeds = Map.groupBy(await readLiveFeeds(sql), ({ source }) => source);
    for (const source of asked) {
      const { readsDeep } = await refreshSource(source, feeds.get(source.name) ?? []);
      if (readsDeep) readers.add(source.name);
      else readers.delete(source.name);
    }
  }

  return {
    refresh,
    mayReadDeep: (source) => readers.has(source),
    mayDemoCost: async () => {
      if (isDemoPaid === undefined) await refresh();
      return isDemoPaid ?? false;
    },
  };
}

/** Where nobody is served yet, what the first one will have. */
function feedsOrOne(feeds: readonly FeedRow[]) {
  if (feeds.length === 0) return [{ requestsPerCheck: USUAL_REQUESTS, hasLooked: true }];
  return feeds.map(({ requestsPerCheck, lastOkAt }) => ({ requestsPerCheck, hasLooked: lastOkAt !== null }));
}
