// `npm run plan`: what watching all saved filters takes. Reads the database of the running product; asks no data API.
import { join } from "node:path";
import { findPostmaster } from "#backend/postgres/postmaster.ts";
import { loadSecrets } from "#backend/secrets.ts";
import { DEMO_FILTER_URL } from "#core/search/demo-filter.ts";
import { type Config, readConfig } from "#server/config.ts";
import { openDatabase } from "#store/connection/open-database.ts";
import { readLiveFeeds } from "#store/feeds/feeds.ts";
import { readUsedRequests } from "#store/feeds/request-budget.ts";
import { readSavedLinks } from "#store/feeds/searches.ts";
import { readSourceIntervals } from "#store/feeds/source-intervals.ts";
import { describePlan } from "#watcher/plan/describe-plan.ts";
import { PAGES } from "#watcher/watch-tasks.ts";

async function databaseUrlOf(config: Config): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  const postmaster = await findPostmaster(join(config.dataDir, "postgres"));
  if (!postmaster) throw new Error("Sereno is not running: start it, or set DATABASE_URL.");
  const { databasePassword } = await loadSecrets(config.dataDir);
  return `postgres://postgres:${databasePassword}@127.0.0.1:${postmaster.port}/postgres`;
}

// No role has a part in a plan; the settings are read as the product reads them.
const config = readConfig({ ...process.env, ROLES: "mail" });
const sql = openDatabase({ url: await databaseUrlOf(config), max: 1 });
try {
  const now = new Date();
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
  const text = describePlan({
    links: await readSavedLinks(sql, now),
    demoUrl: DEMO_FILTER_URL,
    checkIntervalSeconds: config.checkIntervalSeconds,
    pages: PAGES,
    now: now.getTime(),
    official: await sourceOf("official", config.idealista?.monthlyRequests),
    byUrl: await sourceOf("by-url", config.searchByUrl?.monthlyRequests),
    requestsPerCheck: new Map(looked.map(({ key, requestsPerCheck }) => [key, requestsPerCheck])),
  });
  process.stdout.write(`${text}\n`);
} finally {
  await sql.end();
}
