// A program's life: settings in, signals in, exit code out.
import { fileURLToPath } from "node:url";
import { type Config, type FindMistakes, readSettings } from "./config.ts";
import { createLogger } from "./log.ts";
import { type Product, startProduct } from "./product.ts";
import { faultSentence, findStartFaults, StartFaults } from "./start/start-faults.ts";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export type ProgramOptions = {
  findMistakes?: FindMistakes;
  /** What is done before the start, when nothing speaks against it. */
  prepare?: (signal: AbortSignal) => Promise<void>;
};

// Everything has its own deadline; this is for a deadline that does not come, such as that of a start which hangs.
const STOP_WITHIN_MS = 8_500;

/** Starts the product and ends with the process: by a signal, by its starter's end, or by a fault. */
export async function runProgram(options: ProgramOptions = {}): Promise<void> {
  const stopping = hearSignals();
  try {
    const config = await readFittingConfig(options);
    await options.prepare?.(stopping);
    const product = await start(config, stopping);
    // First the ears, then the word: whoever hears that it is ready may stop it the next moment.
    stopWhenTold(product, stopping);
    tell({ ready: { port: product.port } });
  } catch (error) {
    // Told to stop before it was ready: what had started is stopped by now.
    if (stopping.aborted) process.exit(0);
    fail(faultSentence(error));
    process.exitCode = 1;
    if (process.connected) process.disconnect();
  }
}

/** Told to stop, by whatever means: heard from the first moment, or a start that is cut would leave its database. */
function hearSignals(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) {
    process.on(signal, () => stopping.abort());
  }
  // Whoever started us is gone, perhaps by kill -9: nobody could stop us later.
  process.on("disconnect", () => stopping.abort());
  stopping.signal.addEventListener("abort", () => setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref());
  return stopping.signal;
}

/** Everything that is wrong is told together: the settings, and what they lead to. */
async function readFittingConfig({ findMistakes }: ProgramOptions): Promise<Config> {
  const { config, mistakes, usable } = readSettings({ findMistakes });
  const faults = [...mistakes, ...(await findStartFaults(usable))];
  if (config === undefined || faults.length > 0) throw new StartFaults(faults);
  return config;
}

function start(config: Config, signal: AbortSignal): Promise<Product> {
  return startProduct({
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
    signal,
  });
}

function stopWhenTold(product: Product, stopping: AbortSignal): void {
  const stop = (code: number) => void product.stop().then(() => process.exit(code));
  stopping.addEventListener("abort", () => stop(0));
  void product.databaseLost.then(() => {
    fail("The database stopped unexpectedly. The end of the log says why.");
    stop(1);
  });
}

/** To whoever started us: over the channel if there is one, otherwise nowhere, since the log tells it too. */
function tell(message: object): void {
  if (process.connected) process.send?.(message);
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
