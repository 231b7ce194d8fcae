// Measures time, memory and disk of a round with ten and a hundred times as many searches, and with fewer people who have several
// searches each. Run with --expose-gc. Arguments like "10000" or "10000/3000" (searches/people) replace the default sizes.
// The sizes are measured alternately, so that a machine that slows down affects all of them.

import { normaliseSearch } from "#core/search/normalise-search.ts";
import type { Search } from "#core/search/search.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { type MigratedPostgres, startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { seeded } from "#test/seeded.ts";
import { addPeople, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createWatchTasks } from "#watcher/watch-tasks.ts";
import { seconds, usedBytes } from "../harness/measure.ts";
import { drawSearch } from "../match/market.ts";

const SIZES = ["1000", "10000", "100000", "100000/30000"];
const CITY = "0-EU-ES-28-07-001-079";
const NEW_LISTINGS = 50;
const ROUNDS = 5;
/** A round may grow with the number of alerts it writes. The tolerance covers noise. */
const TOLERANCE = 1.25;

interface Size {
  readonly searches: number;
  readonly people: number;
}

interface Round {
  readonly ms: number;
  readonly alerts: number;
  readonly requests: number;
}

function sizeOf(spelled: string): Size {
  const [searches = Number.NaN, people = searches] = spelled.split("/").map(Number);
  if (!(people >= 1 && people <= searches && searches <= 10 * people)) {
    throw new Error(`${spelled}: at most ten searches per person`);
  }
  return { searches, people };
}

async function settle(databases: MigratedPostgres, { searches, people }: Size) {
  const portal = await startPortalSimulator({
    size: 8_000,
    newPerDay: 0,
    requestsPerSecond: 0,
    monthlyRequests: null,
  });
  const sql = openDatabase({ url: await databases.create(), max: 6 });
  const urls = madridSearches(searches);
  await addPeople(
    sql,
    urls.slice(0, people).map((url, person) => {
      const others = Math.ceil((searches - person) / people) - 1;
      return {
        url,
        otherUrls: Array.from({ length: others }, (_, n) => urls[person + (n + 1) * people] ?? url),
      };
    }),
  );
  const memoryBefore = usedBytes();
  const rounds = createWatchTasks({
    sql,
    sources: sourcesOf({ portal }),
    checkIntervalSeconds: 600,
    now: Date.now,
    logger: silentLogger,
  });
  const checkAll = async () => {
    await sql`update watch.feeds set next_check_at = ${new Date()} where idle_since is null`;
    for (const key of await rounds.findDue(1_000)) await rounds.check(key, new AbortController().signal);
  };
  const compile = await timed(() => rounds.compile());
  const begin = await timed(async () => {
    await checkAll();
    await rounds.join();
  });
  const quiet = await timed(checkAll);
  const memory = usedBytes() - memoryBefore;
  const countAlerts = async () => {
    const [row] = await sql<[{ alerts: number }]>`
      select count(*)::int as alerts from watch.alerts where kind = 'new'`;
    return row.alerts;
  };
  return {
    measured: { compile, begin, quiet, memory },
    round: async (): Promise<Round> => {
      for (const url of urls.slice(0, NEW_LISTINGS)) publishMatching(portal.market, { url });
      portal.ledger.clear();
      const before = await countAlerts();
      const ms = await timed(checkAll);
      return { ms, alerts: (await countAlerts()) - before, requests: portal.ledger.count("search") };
    },
    bytes: async () => {
      const [disk] = await sql<[{ bytes: number }]>`
        select pg_database_size(current_database())::float8 as bytes`;
      return disk.bytes;
    },
    end: async () => {
      await sql.end();
      await portal.close();
    },
  };
}

type World = Awaited<ReturnType<typeof settle>>;

async function rowOf({ searches, people }: Size, { measured, bytes }: World, rounds: readonly Round[]) {
  const middle = rounds.toSorted((a, b) => perAlert(a) - perAlert(b))[(ROUNDS - 1) / 2];
  if (!middle) throw new Error("No round was measured");
  return {
    searches,
    people,
    "compile s": seconds(measured.compile),
    "begin s": seconds(measured.begin),
    "quiet round s": seconds(measured.quiet),
    "round s": seconds(middle.ms),
    alerts: middle.alerts,
    "µs an alert": Math.round(perAlert(middle)),
    "index MB": Math.round(measured.memory / 1e6),
    [`database MB after ${ROUNDS}`]: Math.round((await bytes()) / 1e6),
    requests: middle.requests,
  };
}

function hasOneSearchEach({ searches, people }: Size): boolean {
  return searches === people;
}

function perAlert({ ms, alerts }: Round): number {
  return (ms * 1000) / Math.max(1, alerts);
}

async function timed(deed: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await deed();
  return performance.now() - from;
}

const sizes = (process.argv.length > 2 ? process.argv.slice(2) : SIZES).map(sizeOf);
const databases = await startMigratedPostgres();
try {
  const worlds: { size: Size; world: World; rounds: Round[] }[] = [];
  for (const size of sizes) worlds.push({ size, world: await settle(databases, size), rounds: [] });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { world, rounds } of worlds) rounds.push(await world.round());
  }
  const rows = [];
  for (const { size, world, rounds } of worlds) rows.push(await rowOf(size, world, rounds));
  for (const { world } of worlds) await world.end();
  console.table(rows);
  const costs = rows.filter(hasOneSearchEach).map((row) => row["µs an alert"]);
  if (costs.some((cost, step) => cost > TOLERANCE * (costs[step - 1] ?? cost))) {
    console.error("The time of a round grew faster than the number of its alerts");
    process.exitCode = 1;
  }
  for (const shared of rows.filter((row) => !hasOneSearchEach(row))) {
    const single = rows.find((row) => hasOneSearchEach(row) && row.searches === shared.searches);
    if (single && shared["round s"] > TOLERANCE * single["round s"]) {
      console.error("A round takes longer if people have several searches");
      process.exitCode = 1;
    }
  }
} finally {
  await databases.stop();
}

/**
 * Links for Madrid: the city, districts, barrios and drawings, for rent and for sale. Without wishes that only a request
 * can filter by (a terrace, a pool, furniture): each set of those needs feeds of its own.
 */
function madridSearches(count: number): string[] {
  const random = seeded(11);
  const urls: string[] = [];
  while (urls.length < count) {
    const search = drawSearch(random);
    if (search.kind !== "homes" || !isInMadrid(search)) continue;
    const features = search.features.filter((feature) => ["lift", "exterior", "garage"].includes(feature));
    urls.push(normaliseSearch({ ...search, features, furnishing: null }).searchKey);
  }
  return urls;
}

function isInMadrid({ where }: Search): boolean {
  return where.type === "drawn" || (where.type === "place" && where.placeId.startsWith(CITY));
}
