// The worker thread of mail-worker.ts.
import { parentPort } from "node:worker_threads";
import { type Examination, examineMail, type KeyAnswers } from "./examine-mail.ts";

export interface WorkerQuestion {
  readonly raw: Uint8Array;
  readonly keys: KeyAnswers;
  readonly now: Date;
}

export type WorkerAnswer = { readonly examination: Examination } | { readonly error: string };

parentPort?.on("message", async ({ raw, keys, now }: WorkerQuestion) => {
  let answer: WorkerAnswer;
  try {
    answer = { examination: await examineMail(Buffer.from(raw), keys, now) };
  } catch (error) {
    answer = {
      error: error instanceof Error ? `${error.name}: ${error.stack?.split("\n")[1]?.trim()}` : "?",
    };
  }
  parentPort?.postMessage(answer);
});
