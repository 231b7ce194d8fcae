// `npm run serve`: the product in production, without simulators. Missing, unsafe and unreachable settings are all
// reported at once.

import { missingFactsNotice, missingOperator } from "#server/monitoring/operator-settings.ts";
import { runProgram } from "#server/run-program.ts";
import { unsafeSettings } from "#server/start/unsafe-settings.ts";
import { startWatchdog } from "#server/watchdog.ts";
import { buildWebIfStale } from "./web/build-web.ts";

await runProgram({
  findMistakes: (values) => [...unsafeSettings(values), ...missingOperator(values)],
  noticeOf: missingFactsNotice,
  prepare: (signal) => buildWebIfStale((step) => process.stderr.write(`· ${step}\n`), signal),
});
startWatchdog();
