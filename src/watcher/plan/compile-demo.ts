import type { Db } from "#platform/database/json-parameter.ts";
import { type DemoFilter, readDemoFilters, saveDemoFilter } from "../rows/feeds/demo-filters.ts";
import { readLiveFeeds, scheduleNow } from "../rows/feeds/feeds.ts";
import { lockPlanning } from "../rows/feeds/searches.ts";
import { applyPlan, type CompileOptions, keyedSearchOf, keysOf, readCosts } from "./apply-plan.ts";
import type { PlannedFeed } from "./feed-cost.ts";
import { planFeeds } from "./plan-feeds.ts";

/** Assigns the demo to a feed: one of its own only if it may cost requests. Apart from the searches, so that it cannot stop them. */
export async function compileDemo(
  db: Db,
  options: CompileOptions,
  { demo, isPaid }: { readonly demo: DemoFilter; readonly isPaid: boolean },
): Promise<void> {
  await lockPlanning(db);
  if (!(await isStale(db, demo, isPaid))) return;
  const now = new Date(options.now());
  const parsed = keyedSearchOf(demo.filterUrl);
  const wanted = parsed ? [parsed] : [];
  const feeds = await readLiveFeeds(db);
  const plan = planFeeds({
    feeds: feeds as unknown as PlannedFeed[],
    searches: isPaid ? wanted : [],
    piggyback: isPaid ? [] : wanted,
    hasOfficial: options.sources.official !== undefined,
    hasByUrl: options.sources.byUrl !== undefined,
    costs: await readCosts(db, options, feeds),
  });
  await applyPlan(db, plan, { now, options, feeds, heldKeys: [] });
  const searchKey = parsed?.searchKey ?? null;
  const feedKey = plan.feedKeyOf.get(searchKey ?? "") ?? null;
  await saveDemoFilter(db, { ...demo, searchKey, feedKey, mayCost: isPaid });
  const unlessOkSince = new Date(options.now() - options.checkIntervalSeconds * 1000);
  await scheduleNow(db, keysOf(plan, isPaid ? wanted : []), { now, unlessOkSince });
}

async function isStale(db: Db, demo: DemoFilter, isPaid: boolean): Promise<boolean> {
  const held = (await readDemoFilters(db)).find(({ filterId }) => filterId === demo.filterId);
  return !(held?.filterUrl === demo.filterUrl && held.mayCost === isPaid && held.isServed);
}
