// What a round costs with ten and a hundred times as many filters: time, memory, disk. Run with --expose-gc.
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { openDatabase } from "#store/open-database.ts";
import { type MigratedPostgres, startMigratedPostgres } from "#test/migrated-postgres.ts";
import { addPeople, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createRounds } from "#watcher/rounds.ts";
import { madridSearches } from "./watch-searches.ts";

const SIZES = [1_000, 10_000, 100_000];
const NEW_LISTINGS = 50;
/** The middle one of as many rounds, and the machine's own moods count less. */
const ROUNDS = 3;
/** A round may grow as the alerts it writes; a busy machine blurs the time by some. */
const ALLOWED_BLUR = 2;

async function measure(databases: MigratedPostgres, size: number) {
  const portal = await startPortalSimulator({
    size: 8_000,
    newPerDay: 0,
    requestsPerSecond: 0,
    monthlyRequests: null,
  });
  const sql = openDatabase({ url: await databases.create(), max: 6 });
  const urls = madridSearches(size);
  await addPeople(
    sql,
    urls.map((url) => ({ url })),
  );
  const memoryBefore = usedBytes();
  const rounds = createRounds({
    sql,
    sources: sourcesOf({ portal }),
    checkIntervalSeconds: 600,
    now: Date.now,
    logger: silentLogger,
  });
  const compile = await timed(() => rounds.compile());
  const checkDue = async () => {
    for (const key of await rounds.findDue(1_000)) await rounds.check(key, new AbortController().signal);
  };
  const begin = await timed(async () => {
    await checkDue();
    await rounds.join();
  });
  const allDue = () => sql`update watch.feeds set next_check_at = ${new Date()} where idle_since is null`;
  await allDue();
  const quiet = await timed(checkDue);
  const memory = usedBytes() - memoryBefore;
  const told = async () => {
    const [row] = await sql<[{ alerts: number }]>`
      select count(*)::int as alerts from watch.alerts where kind in ('new', 'readvertised')`;
    return row.alerts;
  };
  const busyRounds: { ms: number; alerts: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const url of urls.slice(0, NEW_LISTINGS)) publishMatching(portal.market, { url });
    await allDue();
    portal.ledger.clear();
    const before = await told();
    busyRounds.push({ ms: await timed(checkDue), alerts: (await told()) - before });
  }
  const perAlert = ({ ms, alerts }: { ms: number; alerts: number }) => (ms * 1000) / Math.max(1, alerts);
  busyRounds.sort((a, b) => perAlert(a) - perAlert(b));
  const busy = busyRounds[(ROUNDS - 1) / 2] ?? { ms: Number.NaN, alerts: Number.NaN };
  const [disk] = await sql<[{ bytes: number }]>`
    select pg_database_size(current_database())::float8 as bytes`;
  await sql.end();
  await portal.close();
  return {
    filters: size,
    feeds: portal.ledger.count("search"),
    "compile s": seconds(compile),
    "begin s": seconds(begin),
    "quiet round s": seconds(quiet),
    "round s": seconds(busy.ms),
    alerts: busy.alerts,
    "µs an alert": Math.round(perAlert(busy)),
    "index MB": Math.round(memory / 1e6),
    "database MB": Math.round(disk.bytes / 1e6),
  };
}

async function timed(deed: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await deed();
  return performance.now() - from;
}

function seconds(ms: number): number {
  return Number((ms / 1000).toFixed(2));
}

function usedBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}

const databases = await startMigratedPostgres();
try {
  const rows: Awaited<ReturnType<typeof measure>>[] = [];
  for (const size of SIZES) rows.push(await measure(databases, size));
  console.table(rows.map(({ feeds, ...row }) => ({ ...row, requests: feeds })));
  const [first] = rows;
  const isWorse = rows.some((row) => row["µs an alert"] > ALLOWED_BLUR * (first?.["µs an alert"] ?? 0));
  if (isWorse) {
    console.error("A round grew faster than what it writes");
    process.exitCode = 1;
  }
} finally {
  await databases.stop();
}
