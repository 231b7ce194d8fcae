// `npm run plan`: the requests needed to watch all saved filters. Reads the product's database and calls no data API.
import type { Sql } from "postgres";
import { DEMO_FILTER_URL } from "#core/search/demo-filter.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { type Config, readConfig } from "#server/config.ts";
import { withDatabase } from "#server/ops/open-database.ts";
import { faultSentence } from "#server/start/start-faults.ts";
import { describePlan } from "#watcher/plan/describe-plan.ts";
import { readLiveFeeds } from "#watcher/rows/feeds/feeds.ts";
import { readUsedRequests } from "#watcher/rows/feeds/request-budget.ts";
import { readSavedLinks } from "#watcher/rows/feeds/searches.ts";
import { readSourceIntervals } from "#watcher/rows/feeds/source-intervals.ts";
import { PAGES } from "#watcher/watch-tasks.ts";

async function planOf(sql: Sql, config: Config, now: Date): Promise<string> {
  const looked = (await readLiveFeeds(sql)).filter(({ lastOkAt }) => lastOkAt !== null);
  const held = await readSourceIntervals(sql);
  const sourceOf = async (name: "official" | "by-url", monthlyRequests: number | undefined) =>
    monthlyRequests === undefined
      ? undefined
      : {
          monthlyRequests,
          used: await readUsedRequests(sql, name, now),
          heldSeconds: held.get(name)?.intervalSeconds,
        };
  return describePlan({
    links: await readSavedLinks(sql, now),
    demoUrl: DEMO_FILTER_URL,
    checkIntervalSeconds: config.checkIntervalSeconds,
    pages: PAGES,
    now: now.getTime(),
    official: await sourceOf("official", config.idealista?.monthlyRequests),
    byUrl: await sourceOf("by-url", config.searchByUrl?.monthlyRequests),
    requestsPerCheck: new Map(looked.map(({ key, requestsPerCheck }) => [key, requestsPerCheck])),
  });
}

try {
  // The plan needs no role, but the settings are read like the product reads them.
  const config = readConfig({ ...process.env, ROLES: "mail" });
  const text = await withDatabase(config, async (url) => {
    const sql = openDatabase({ url, max: 1 });
    return planOf(sql, config, new Date()).finally(() => sql.end({ timeout: 1 }));
  });
  process.stdout.write(`${text}\n`);
} catch (error) {
  process.stderr.write(`${faultSentence(error, "The plan could not be computed")}\n`);
  process.exitCode = 1;
}
