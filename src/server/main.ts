// The product's program: settings in, signals in, exit code out.
import { fileURLToPath } from "node:url";
import { StartError } from "#backend/postgres/start-error.ts";
import { ConfigError, readConfig } from "./config.ts";
import { createLogger } from "./log.ts";
import { type Product, startProduct } from "./product.ts";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** To whoever started us: over the channel if there is one, otherwise nowhere, since the log tells it too. */
function tell(message: object): void {
  if (process.connected) process.send?.(message);
}

// Everything has its own deadline; this is for a deadline that does not come, such as that of a start which hangs.
const STOP_WITHIN_MS = 10_000;

/** Told to stop, by whatever means: heard from the first moment, or a start that is cut would leave its database. */
const stopping = new AbortController();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) {
  process.on(signal, () => stopping.abort());
}
// Whoever started us is gone, perhaps by kill -9: nobody could stop us later.
process.on("disconnect", () => stopping.abort());
stopping.signal.addEventListener("abort", () => setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref());

async function run(): Promise<void> {
  const config = readConfig();
  const product = await startProduct({
    config,
    folders: { web: folder("../../build/client"), migrations: folder("../../supabase/migrations") },
    createLogger: (secrets) => {
      const logger = createLogger({
        level: config.logLevel,
        secrets,
        write: (line) => process.stdout.write(line),
      });
      // Libraries that print do it through the log, where nothing secret passes.
      console.log =
        console.info =
        console.warn =
        console.error =
        console.debug =
          (...said) => logger.warn({ said: said.map(String).join(" ") }, "console");
      return logger;
    },
    onStep: (step) => tell({ step }),
    signal: stopping.signal,
  });
  // First the ears, then the word: whoever hears that it is ready may stop it the next moment.
  stopWhenTold(product);
  tell({ ready: { port: product.port } });
}

function stopWhenTold(product: Product): void {
  const stop = (code: number) => void product.stop().then(() => process.exit(code));
  stopping.signal.addEventListener("abort", () => stop(0));
  void product.databaseLost.then(() => {
    fail("The database has stopped by itself; its last words are in the log.");
    stop(1);
  });
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

try {
  await run();
} catch (error) {
  // Told to stop before it was ready: what had started is stopped by now.
  if (stopping.signal.aborted) process.exit(0);
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  fail(error.message);
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}
