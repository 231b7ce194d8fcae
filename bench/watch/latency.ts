// How long from a listing's publication to its alerts in the outbox, with a check that starts at once; what a round costs.
import { setTimeout as wait } from "node:timers/promises";
import type { Sql } from "postgres";
import { allPlaces } from "#core/places/places.ts";
import type { RequestBudget } from "#core/ports/request-budget.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createMemoryRequestBudget } from "#test/memory-request-budget.ts";
import { type MigratedPostgres, startMigratedPostgres } from "#test/migrated-postgres.ts";
import { addPeople, freeBudget, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createWatchTasks, type WatchTasks } from "#watcher/watch-tasks.ts";
import { quantile } from "../bench-server.ts";
import { madridSearches } from "./searches.ts";

const PORTAL_MS = 50;
const CHECKS_AT_ONCE = 4;
const CITY = "0-EU-ES-28-07-001-079";
const SITE = "https://www.idealista.com";
const DISTRICTS = [...allPlaces()].filter(({ id, level }) => level === "district" && id.startsWith(CITY));

interface World {
  readonly sql: Sql;
  readonly portal: PortalSimulator;
  readonly rounds: WatchTasks;
}

async function openWorld(
  databases: MigratedPostgres,
  people: readonly string[],
  budget: RequestBudget,
): Promise<World> {
  const portal = await startPortalSimulator({
    size: 8_000,
    newPerDay: 0,
    requestsPerSecond: 0,
    monthlyRequests: null,
  });
  const sql = openDatabase({ url: await databases.create(), max: 6 });
  await addPeople(
    sql,
    people.map((url) => ({ url })),
  );
  const world = (withBudget: RequestBudget) =>
    createWatchTasks({
      sql,
      sources: sourcesOf({ portal, budget: withBudget }),
      checkIntervalSeconds: 600,
      now: Date.now,
      logger: silentLogger,
    });
  const baseline = world(freeBudget);
  await baseline.compile();
  await checkAll(baseline, await baseline.findDue(10_000));
  await baseline.join();
  portal.faults.set({ fault: "slow", ms: PORTAL_MS });
  return { sql, portal, rounds: world(budget) };
}

/** When each feed had committed, in milliseconds from the start. */
async function checkAll(rounds: WatchTasks, keys: readonly string[]): Promise<Map<string, number>> {
  const from = performance.now();
  const left = [...keys];
  const done = new Map<string, number>();
  const work = async () => {
    for (let key = left.shift(); key !== undefined; key = left.shift()) {
      const result = await rounds.check(key, new AbortController().signal);
      if (result.outcome !== "checked") throw new Error(`${key}: ${JSON.stringify(result)}`);
      done.set(key, performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work));
  return done;
}

/** Publishes, makes every feed due, checks, and attributes every alert to the check that committed it. */
async function measureRound({ sql, portal, rounds }: World, urls: readonly string[]) {
  for (const url of urls) {
    const outcome = publishMatching(portal.market, { url });
    if (!outcome.isPublished) throw new Error(`${url}: ${outcome.reason}`);
  }
  await sql`update watch.feeds set next_check_at = ${new Date()} where idle_since is null`;
  const before = await countAlerts(sql);
  portal.ledger.clear();
  const cpu = process.cpuUsage();
  const from = performance.now();
  const committed = await checkAll(rounds, await rounds.findDue(10_000));
  const roundMs = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  const rows = await sql<{ feedKey: string; alerts: number }[]>`
    select searches.feed_key as "feedKey", count(*)::int as alerts
    from watch.alerts join watch.compiled_searches as searches on searches.user_id = alerts.user_id
    where alerts.kind in ('new', 'readvertised') group by 1`;
  // To measure to Telegram's acceptance, wait here until delivery has marked these alerts sent and take sent_at.
  const latencies = rows.flatMap(({ feedKey, alerts }) =>
    Array.from({ length: alerts }, () => committed.get(feedKey) ?? 0),
  );
  return {
    feeds: committed.size,
    requests: portal.ledger.count("search") + portal.ledger.count("by-url"),
    alerts: (await countAlerts(sql)) - before,
    roundMs,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    max: Math.max(...latencies),
    cpuSeconds: (user + system) / 1e6,
    rssMb: process.memoryUsage().rss / 1e6,
  };
}

async function countAlerts(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from watch.alerts where kind in ('new', 'readvertised')`;
  return row.count;
}

/** All different: operation, district, a limit of its own. */
function differentSearches(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const district = DISTRICTS[n % DISTRICTS.length];
    const isRent = n % 2 === 1;
    const limit = isRent ? 2_000 + n : 900_000 + n * 1_000;
    return `${SITE}/${isRent ? "alquiler" : "venta"}-viviendas/${district?.path.join("/")}/con-precio-hasta_${limit}/`;
  });
}

type Measured = Awaited<ReturnType<typeof measureRound>>;

function rowOf(people: number, searches: number, measured: Measured) {
  return {
    people,
    searches,
    feeds: measured.feeds,
    requests: measured.requests,
    alerts: measured.alerts,
    "round ms": Math.round(measured.roundMs),
    "p50 ms": Math.round(measured.p50),
    "p95 ms": Math.round(measured.p95),
    "max ms": Math.round(measured.max),
    "cpu ms a search": Number(((measured.cpuSeconds * 1000) / searches).toFixed(2)),
    "rss MB": Math.round(measured.rssMb),
  };
}

async function run(
  databases: MigratedPostgres,
  {
    people,
    published,
    budget,
  }: { people: readonly string[]; published: readonly string[]; budget?: RequestBudget },
) {
  const world = await openWorld(databases, people, budget ?? freeBudget);
  // One round unmeasured, in which the indexes come to memory as they are in a process that runs.
  await measureRound(world, []);
  await wait(50);
  const measured = await measureRound(world, published);
  await world.sql.end();
  await world.portal.close();
  return rowOf(people.length, new Set(people).size, measured);
}

const apiPace = () => createMemoryRequestBudget({ now: Date.now, monthlyRequests: null });

async function measureAll(databases: MigratedPostgres): Promise<void> {
  const table: Record<string, ReturnType<typeof rowOf>> = {};
  for (const count of [100, 500]) {
    const people = differentSearches(count);
    const same = { people, published: people };
    table[`${count} different, one new each`] = await run(databases, same);
    table[`${count} different, one request in 1.1 s`] = await run(databases, { ...same, budget: apiPace() });
  }
  const fifty = differentSearches(50);
  const people = Array.from({ length: 500 }, (_, n) => fifty[n % 50] ?? "");
  table["500 people on 50 searches"] = await run(databases, { people, published: fifty });
  const madrid = madridSearches(10_000);
  const inMadrid = await run(databases, { people: madrid, published: madrid.slice(0, 50) });
  table["10,000 in Madrid"] = inMadrid;
  const wishing = madridSearches(10_000, { hasRequestOnly: true });
  table["10,000 in Madrid, with wishes only the API knows"] = await run(databases, {
    people: wishing,
    published: fifty,
  });
  console.table(table);
  if (inMadrid.requests > 8 || inMadrid["round ms"] > 5_000) {
    console.error("10,000 filters in Madrid took more than 8 requests or 5 s a round");
    process.exitCode = 1;
  }
}

const databases = await startMigratedPostgres();
try {
  await measureAll(databases);
} finally {
  await databases.stop();
}
