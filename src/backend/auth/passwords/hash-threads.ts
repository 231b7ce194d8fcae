// Hashes passwords in threads of a low priority. A hash takes a core for a tenth of a second: requests and PostgreSQL go
// before it, and the threads in which Node reads files and resolves names stay free.
import { Worker } from "node:worker_threads";
import type { HashTask } from "./hash-thread.ts";

const idle: Worker[] = [];

/** The caller limits how many run at once: each has a thread, which then waits for the next. */
export const passwordHashes = {
  hash: async (password: string, rounds: number): Promise<string> =>
    String(await runInThread({ password, rounds })),
  compare: async (password: string, hash: string): Promise<boolean> =>
    (await runInThread({ password, hash })) === true,
};

async function runInThread(task: HashTask): Promise<string | boolean> {
  const thread = idle.pop() ?? startThread();
  const { promise, resolve, reject } = Promise.withResolvers<string | boolean>();
  const onExit = () => reject(new Error("The thread for passwords ended"));
  thread.once("message", resolve).once("error", reject).once("exit", onExit);
  try {
    thread.postMessage(task);
    const answer = await promise;
    idle.push(thread);
    return answer;
  } catch (error) {
    void thread.terminate();
    throw error;
  } finally {
    thread.off("message", resolve).off("error", reject).off("exit", onExit);
  }
}

function startThread(): Worker {
  const thread = new Worker(new URL("./hash-thread.ts", import.meta.url), {
    // No settings and no secrets.
    env: {},
    // In a packed release a preloaded module lets Node run TypeScript.
    execArgv: process.execArgv.filter((option) => option.startsWith("--import=")),
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  // One that ends while it waits is not used again.
  thread
    .on("error", () => {})
    .once("exit", () => {
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
    });
  thread.unref();
  return thread;
}
