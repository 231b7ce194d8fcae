// Examines mails beside the process that serves people. A hostile mail of 2 MB with eight signatures costs up to a second,
// where a real one costs 8 ms; what takes far longer is cut off, and its thread with it.
import { Worker } from "node:worker_threads";
import { createSemaphore } from "#platform/limits/semaphore.ts";
import { withTimeout } from "#platform/timing.ts";
import type { Examination, KeyAnswers } from "./examine-mail.ts";
import type { WorkerAnswer, WorkerQuestion } from "./mail-worker-thread.ts";

export interface MailWorker {
  examine(raw: Buffer, keys: KeyAnswers, now: Date): Promise<Examination>;
  close(): Promise<void>;
}

const THREADS = 2;
const WITHIN_MS = 20_000;
/** The first answer, of a thread that starts on a busy machine. */
const START_MS = 60_000;
const MAX_HEAP_MB = 256;
/** What is under way when we are told to stop. */
const CLOSE_MS = 500;

const answeredBefore = new WeakSet<Worker>();

export function createMailWorker(): MailWorker {
  const idle: Worker[] = [];
  const places = createSemaphore({ atOnce: THREADS });
  const all = new Set<Worker>();
  const running = new Set<Promise<Examination>>();
  let isClosed = false;

  return {
    examine: async (raw, keys, now) => {
      const leave = await places.enter();
      if (isClosed) {
        leave();
        throw new Error("The mail worker is closed");
      }
      const worker = idle.pop() ?? startThread(all);
      const asked = ask(worker, { raw, keys, now });
      running.add(asked);
      try {
        const examination = await asked;
        idle.push(worker);
        return examination;
      } catch (error) {
        void worker.terminate();
        throw error;
      } finally {
        running.delete(asked);
        leave();
      }
    },
    close: async () => {
      isClosed = true;
      await withTimeout(CLOSE_MS, Promise.allSettled(running)).catch(() => {});
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function startThread(all: Set<Worker>): Worker {
  const worker = new Worker(new URL("./mail-worker-thread.ts", import.meta.url), {
    // Nothing of the product's environment: no setting, no secret.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  all.add(worker);
  worker.once("exit", () => all.delete(worker));
  // One that fails while nobody asks it only leaves.
  worker.on("error", () => {});
  worker.unref();
  return worker;
}

/** Its answer comes within the time it has, or the error that tells why not. */
async function ask(worker: Worker, question: WorkerQuestion): Promise<Examination> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
  const onExit = () => reject(new Error("The thread that examines mails has ended"));
  worker.once("message", resolve).once("error", reject).once("exit", onExit);
  try {
    worker.postMessage(question);
    const answer = await withTimeout(answeredBefore.has(worker) ? WITHIN_MS : START_MS, promise);
    if ("error" in answer) throw new Error(`A mail could not be examined: ${answer.error}`);
    answeredBefore.add(worker);
    return answer.examination;
  } finally {
    worker.off("message", resolve).off("error", reject).off("exit", onExit);
  }
}
