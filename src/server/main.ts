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
  });
  // First the ears, then the word: whoever hears that it is ready may stop it the next moment.
  stopWhenTold(product);
  tell({ ready: { port: product.port } });
}

function stopWhenTold(product: Product): void {
  let isStopping = false;
  const stop = (code: number) => {
    if (isStopping) return;
    isStopping = true;
    void product.stop().then(() => process.exit(code));
  };
  process.on("SIGTERM", () => stop(0));
  process.on("SIGINT", () => stop(0));
  // Whoever started us is gone, perhaps by kill -9: nobody could stop us later.
  process.on("disconnect", () => stop(0));
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
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  fail(error.message);
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}
