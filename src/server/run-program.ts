// The process: reads settings, handles signals, sets the exit code.
import { fileURLToPath } from "node:url";
import { type Config, type FindMistakes, readSettings, type UsableSettings } from "./config.ts";
import { createLogger } from "./log.ts";
import { type Product, startProduct } from "./product.ts";
import { readSettingsFile } from "./start/settings-file.ts";
import { faultSentence, findStartFaults, StartFaults } from "./start/start-faults.ts";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export type ProgramOptions = {
  findMistakes?: FindMistakes;
  /** A sentence to print before the start, if there is something to say about the settings. */
  noticeOf?: (settings: UsableSettings) => string | undefined;
  /** Runs before the start, if no faults were found. */
  prepare?: (signal: AbortSignal) => Promise<void>;
};

// Every step has its own deadline; this one covers a step that never ends, such as a start that hangs.
const STOP_WITHIN_MS = 8_500;
/** EX_CONFIG of sysexits.h. The systemd unit does not restart the process after it. */
const BAD_SETTINGS = 78;

/** Runs the product until a signal, the end of the parent process, or a fault. */
export async function runProgram(options: ProgramOptions = {}): Promise<void> {
  const stopping = listenForStopSignals();
  try {
    const config = await readCheckedConfig(options);
    await options.prepare?.(stopping);
    const product = await start(config, stopping);
    // Install signal handlers before reporting ready: the parent may stop us right away.
    stopOnSignal(product, stopping);
    sendToParent({ ready: { port: product.port } });
  } catch (error) {
    // Stopped before it was ready: what had started has been stopped by now.
    if (stopping.aborted) process.exit(0);
    fail(faultSentence(error));
    process.exitCode = error instanceof StartFaults && error.areOfSettings ? BAD_SETTINGS : 1;
    if (process.connected) process.disconnect();
  }
}

/** Installed first, because an interrupted start must not leave its database running. */
function listenForStopSignals(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) {
    process.on(signal, () => stopping.abort());
  }
  // The parent process is gone, perhaps by kill -9: nobody could stop us later.
  process.on("disconnect", () => stopping.abort());
  stopping.signal.addEventListener("abort", () => setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref());
  return stopping.signal;
}

/** Reports all faults together: those of the settings, and those of the services they name. */
async function readCheckedConfig({ findMistakes, noticeOf }: ProgramOptions): Promise<Config> {
  const { config, mistakes, unknown, usable } = readSettings({ findMistakes, file: readSettingsFile() });
  const faults = [...mistakes, ...(await findStartFaults(usable))];
  for (const sentence of unknown) process.stderr.write(`· ${sentence}\n`);
  if (config === undefined || faults.length > 0) {
    throw new StartFaults(faults, { areOfSettings: mistakes.length > 0 });
  }
  const notice = noticeOf?.(usable);
  if (notice !== undefined) process.stderr.write(`· ${notice}\n`);
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
      // Output of libraries goes through the log, which redacts secrets.
      console.log =
        console.info =
        console.warn =
        console.error =
        console.debug =
          (...said) => logger.warn({ said: said.map(String).join(" ") }, "console");
      return logger;
    },
    onStep: (step) => sendToParent({ step }),
    signal,
  });
}

function stopOnSignal(product: Product, stopping: AbortSignal): void {
  const stop = (code: number) => void product.stop().then(() => process.exit(code));
  stopping.addEventListener("abort", () => stop(0));
  void product.databaseLost.then(() => {
    fail("The database stopped unexpectedly. The end of the log says why.");
    stop(1);
  });
  void product.connectionsStuck.then((sentence) => {
    fail(`${sentence} This process ends, and must be started again.`);
    stop(1);
  });
}

/** Sends a message to the parent process, if there is a channel; the log has it too. */
function sendToParent(message: object): void {
  if (process.connected) process.send?.(message);
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
