// `npm run serve`: the product as production runs it. No simulators; what is missing, unsafe or out of reach is named at once.
import { runProgram } from "#server/run-program.ts";
import { unsafeSettings } from "#server/unsafe-settings.ts";
import { buildWebIfStale } from "./build-web.ts";

await runProgram({
  findMistakes: unsafeSettings,
  prepare: (signal) => buildWebIfStale((step) => process.stderr.write(`· ${step}\n`), signal),
});
