// `npm run ops`: the operator's commands; prints the usage without arguments.
import { resolve } from "node:path";
import { StartError } from "#backend/postgres/start-error.ts";
import { readSettings } from "#server/config.ts";
import { runOps } from "#server/ops/run-ops.ts";
import { faultSentence } from "#server/start/start-faults.ts";

// Only the database settings matter here; the doctor reports other mistakes.
const { usable, mistakes } = readSettings({});
const misplaced = mistakes.filter((mistake) =>
  /^(?:DATABASE_URL|DATA_DIR)(?:_FILE)?\b(?!.*beside)/.test(mistake),
);
const settings = {
  databaseUrl: usable.DATABASE_URL,
  dataDir: resolve(usable.DATA_DIR ?? ".data"),
  // Set by npm.
  calledFrom: process.env.INIT_CWD,
};
try {
  // With a mistyped database URL the command must not fall back to the embedded database.
  if (misplaced.length > 0 && process.argv[2] !== "config")
    throw new StartError(`${misplaced.join("; ")}. Nothing was changed.`);
  process.stdout.write(`${await runOps(process.argv.slice(2), settings, new Date())}\n`);
} catch (error) {
  process.stderr.write(`${faultSentence(error, "This could not be done")}\n`);
  process.exitCode = 1;
}
