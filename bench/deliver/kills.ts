// Senders killed at random moments while alerts are written, and senders asked to stop: what is lost, what comes twice.
// The first argument is the number of kills, the second that of restarts by SIGTERM.

import { openDatabase } from "#platform/database/open-database.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { killSenders, restartSenders } from "#test/delivery/kill-and-compare.ts";
import { startMigratedPostgres } from "#test/migrated-postgres.ts";

const KILLS = Number(process.argv[2] ?? 200);
const RESTARTS = Number(process.argv[3] ?? 50);

const server = await startMigratedPostgres();
const databaseUrl = await server.create();
const sql = openDatabase({ url: databaseUrl, max: 4 });
const telegram = await startTelegramSimulator();
const killed = await killSenders({ databaseUrl, sql, telegram, times: KILLS });
telegram.ledger.clear();
const restarted = await restartSenders({
  databaseUrl,
  sql,
  telegram,
  times: RESTARTS,
});
await telegram.close();
await sql.end();
await server.stop();
console.table({ [`${KILLS} × SIGKILL`]: killed, [`${RESTARTS} × SIGTERM`]: restarted });
const isFine =
  killed.lost === 0 &&
  killed.duplicates <= KILLS &&
  restarted.lost === 0 &&
  restarted.duplicates === 0 &&
  restarted.refused === 0;
process.exitCode = isFine ? 0 : 1;
