// A watcher in a separate process, to test several of them together. Arguments: database, portal, seconds.
import { createJobs } from "#platform/database/jobs.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { createWatcher } from "#watcher/watcher.ts";
import { silentLogger, sourcesOf } from "./world.ts";

const [databaseUrl = "", portalUrl = "", seconds = "600"] = process.argv.slice(2);
const sql = openDatabase({ url: databaseUrl, max: 4 });
const jobs = createJobs({ databaseUrl, logger: silentLogger });
await jobs.start();
const watcher = createWatcher({
  databaseUrl,
  jobs,
  sql,
  sources: sourcesOf({ portal: { url: portalUrl } }),
  checkIntervalSeconds: Number(seconds),
  now: Date.now,
  logger: silentLogger,
});

async function end(): Promise<void> {
  await watcher.stop();
  await jobs.stop();
  await sql.end();
  process.disconnect?.();
}

process.once("message", () => void end());
// The parent process has ended.
process.once("disconnect", () => process.exit());
await watcher.start();
process.send?.("ready");
