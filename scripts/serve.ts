// `npm run serve`: the product as production runs it. No simulators; what is missing, unsafe or out of reach is named at once.

import { missingOperator } from "#server/monitoring/operator-settings.ts";
import { runProgram } from "#server/run-program.ts";
import { unsafeSettings } from "#server/start/unsafe-settings.ts";
import { buildWebIfStale } from "./web/build-web.ts";

await runProgram({
  findMistakes: (values) => [...unsafeSettings(values), ...missingOperator(values)],
  prepare: (signal) => buildWebIfStale((step) => process.stderr.write(`· ${step}\n`), signal),
});
