// `npm run ops`: what an operator does by hand; says how when asked nothing.
import { resolve } from "node:path";
import { readSettings } from "#server/config.ts";
import { runOps } from "#server/ops/run-ops.ts";
import { sentenceOf } from "#server/start-faults.ts";

// Only where the database is matters here: whatever else is wrong with the settings is the doctor's business.
const { usable } = readSettings({});
const settings = { databaseUrl: usable.DATABASE_URL, dataDir: resolve(usable.DATA_DIR ?? ".data") };
try {
  process.stdout.write(`${await runOps(process.argv.slice(2), settings, new Date())}\n`);
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
