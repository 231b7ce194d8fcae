// `npm run serve`: the product as production runs it. No simulators; what is missing or unsafe is named at once.
import { ConfigError, readConfig } from "#server/config.ts";
import { unsafeSettings } from "#server/unsafe-settings.ts";
import { buildWebIfStale } from "./build-web.ts";

try {
  readConfig(process.env, { findMistakes: unsafeSettings });
  await buildWebIfStale((step) => process.stderr.write(`· ${step}\n`));
  await import("#server/main.ts");
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  const lines = ["The settings need attention (see .env.example):", ...error.mistakes];
  process.stderr.write(`${lines.join("\n  - ")}\n`);
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}
