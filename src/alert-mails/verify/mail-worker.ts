// Examines mails in worker threads, because a hostile mail of 2 MB with eight signatures takes up to a second (a real one
// 8 ms). A thread that takes much longer is terminated.
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
const ANSWER_MS = 20_000;
/** For the first answer of a thread, which may start on a busy machine. */
const START_MS = 60_000;
const MAX_HEAP_MB = 256;
/** How long running examinations may take when the worker closes. */
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
    // No settings and no secrets.
    env: {},
    // In a packed release a preloaded module lets Node run TypeScript.
    execArgv: process.execArgv.filter((option) => option.startsWith("--import=")),
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  all.add(worker);
  worker.once("exit", () => all.delete(worker));
  // A failing idle thread just ends.
  worker.on("error", () => {});
  worker.unref();
  return worker;
}

/** Rejects if the thread fails, ends or takes too long. */
async function ask(worker: Worker, question: WorkerQuestion): Promise<Examination> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
  const onExit = () => reject(new Error("The mail worker's thread ended"));
  worker.once("message", resolve).once("error", reject).once("exit", onExit);
  try {
    worker.postMessage(question);
    const answer = await withTimeout(answeredBefore.has(worker) ? ANSWER_MS : START_MS, promise);
    if ("error" in answer) throw new Error(`A mail could not be examined: ${answer.error}`);
    answeredBefore.add(worker);
    return answer.examination;
  } finally {
    worker.off("message", resolve).off("error", reject).off("exit", onExit);
  }
}
