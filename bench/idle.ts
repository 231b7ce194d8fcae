// Measures what the product costs while nobody uses it: only the demo search is checked, and nobody is signed in.
// Targets: at most 1 % of a core for the server's process, and 10 transactions a second. Linux only.
// Arguments: the number of seconds, and the seconds between two checks (10 with `npm start`, 600 with `serve`).
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#backend/postgres/embedded-postgres.ts";
import { postmasterOf } from "#test/server-process.ts";
import { memoryOf } from "./load/machine.ts";
import { openProductDatabase, withProduct } from "./web/local-product.ts";

const SECONDS = Number(process.argv[2] ?? 120);
const CHECK_EVERY = process.argv[3] ?? "10";
/** Caches fill and the first checks run. */
const WARM_UP_MS = 60_000;
const TICKS_PER_SECOND = 100;
const MOST_CPU_PERCENT = 1;
const MOST_TRANSACTIONS = 10;

/** CPU time of all threads, wake-ups of the main one. */
async function readProcess(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const [, , parent, ...fields] = stat.slice(stat.lastIndexOf(")")).split(" ").map(Number);
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const [, wakeUps] = /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status) ?? [];
  // Fields 14 and 15 of proc_pid_stat(5).
  const cpuSeconds = ((fields[9] ?? 0) + (fields[10] ?? 0)) / TICKS_PER_SECOND;
  return { parent: parent ?? 0, cpuSeconds, wakeUps: Number(wakeUps) };
}

let isMet = false;
await withProduct(
  { port: await freePort(), environment: { CHECK_INTERVAL_SECONDS: CHECK_EVERY } },
  async ({ dataDir }) => {
    await pause(WARM_UP_MS);
    const { pid: postmaster } = await postmasterOf(dataDir);
    // The server starts PostgreSQL.
    const { parent: server } = await readProcess(postmaster);
    const sql = await openProductDatabase(dataDir);
    const transactions = async () => {
      const [row] = await sql<[{ count: number }]>`
        select sum(xact_commit + xact_rollback)::float8 as count from pg_stat_database`;
      return row.count;
    };
    const [before, countBefore] = [await readProcess(server), await transactions()];
    await pause(SECONDS * 1000);
    const [after, countAfter] = [await readProcess(server), await transactions()];
    await sql.end();
    const memory = await memoryOf(server, postmaster);
    const cpuPercent = ((after.cpuSeconds - before.cpuSeconds) / SECONDS) * 100;
    const perSecond = (countAfter - countBefore) / SECONDS;
    console.table({
      [`${SECONDS} s, a check every ${CHECK_EVERY} s`]: {
        "transactions a second": Number(perSecond.toFixed(1)),
        "wake-ups a second": Number(((after.wakeUps - before.wakeUps) / SECONDS).toFixed(1)),
        "Node, % of a core": Number(cpuPercent.toFixed(2)),
        "Node, MB": Math.round(memory.serverMb),
        "PostgreSQL, MB": Math.round(memory.postgresMb),
      },
    });
    isMet = cpuPercent <= MOST_CPU_PERCENT && perSecond <= MOST_TRANSACTIONS;
  },
);
process.exit(isMet ? 0 : 1);
