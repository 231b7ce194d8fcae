import { BUDGET_NAMES, createRequestBudget } from "#watcher/rows/feeds/request-budget.ts";
import { createWatchTasks, type WatchTasks } from "#watcher/watch-tasks.ts";
import type { Story } from "./story.ts";
import { silentLogger, sourcesOf } from "./world.ts";

/** The requests a month. */
export const FREE_KEY = 100;

export function freeKey(
  { sql, portal, clock }: Pick<Story, "sql" | "portal" | "clock">,
  monthlyRequests = FREE_KEY,
): WatchTasks {
  const { now } = clock;
  const budget = createRequestBudget({ sql, name: BUDGET_NAMES.official, monthlyRequests, now });
  const settings = { portal, now, budget, monthlyRequests, only: "official" } as const;
  return createWatchTasks({
    ...{ sql, now, checkIntervalSeconds: 600, logger: silentLogger },
    sources: sourcesOf({ ...settings, sleep: async () => {} }),
  });
}
