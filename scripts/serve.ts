// `npm run serve`: the product as production runs it. No simulators; what is missing is named at once.
import { ConfigError, readConfig } from "#server/config.ts";
import { buildWebIfStale } from "./build-web.ts";

try {
  readConfig();
  await buildWebIfStale((step) => process.stderr.write(`· ${step}\n`));
  await import("#server/main.ts");
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}
