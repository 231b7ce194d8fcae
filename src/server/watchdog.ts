// Ends the process if its event loop hangs, so that systemd or Docker starts it again. A thread watches, because code in the
// hanging thread cannot run.
import { Worker } from "node:worker_threads";

export type Watchdog = { stop: () => void };

/** A minute: far more than anything of ours keeps the loop busy. */
const TICK_MS = 5_000;
const TICKS = 12;

/**
 * Counts ticks of its own instead of reading a clock: while the machine sleeps or the process is suspended, neither thread
 * runs, and nothing hangs.
 */
const WATCHER = `
  const { workerData } = require("node:worker_threads");
  const beats = new Int32Array(workerData.beats);
  let [last, silent] = [0, 0];
  setInterval(() => {
    const now = Atomics.load(beats, 0);
    silent = now === last ? silent + 1 : 0;
    last = now;
    if (silent < workerData.ticks) return;
    require("node:fs").writeSync(2, "The event loop has not run for " + workerData.words + ": this process ends, and must be started again.\\n");
    process.kill(process.pid, "SIGKILL");
  }, workerData.tickMs);
`;

export function startWatchdog({ tickMs = TICK_MS, ticks = TICKS } = {}): Watchdog {
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  const worker = new Worker(WATCHER, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { beats, tickMs, ticks, words: `${(tickMs * ticks) / 1000} seconds` },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  worker.unref();
  const timer = setInterval(() => Atomics.add(counter, 0, 1), tickMs / 2);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      void worker.terminate();
    },
  };
}
