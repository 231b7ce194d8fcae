// Two people keep homes at the same moment while senders are killed. Telegram's ledger shows what their shortlist chat lost and
// what it was sent twice. The argument is the number of kills.
import { openDatabase } from "#platform/database/open-database.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { killDuringShortlist } from "#test/delivery/shortlist-kills.ts";
import { startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";

const KILLS = Number(process.argv[2] ?? 20);

const databases = await startMigratedPostgres();
const databaseUrl = await databases.create();
const sql = openDatabase({ url: databaseUrl, max: 8 });
const telegram = await startTelegramSimulator();
const report = await killDuringShortlist({ databaseUrl, sql, telegram, times: KILLS, homesPerKill: 6 });
console.table({ ...report, others: report.others.length });
await telegram.close();
await sql.end();
await databases.stop();
const isKept = report.lostKept === 0 && report.lostBoth === 0 && report.writtenTwice === 0;
if (!isKept || report.others.length > 0 || report.arrivedTwice > KILLS) process.exitCode = 1;
