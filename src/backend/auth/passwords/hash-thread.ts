// The thread of hash-threads.ts.
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import bcrypt from "bcrypt";

/** A password to hash, or to compare with a hash. */
export type HashTask = { password: string } & ({ rounds: number } | { hash: string });

// Elsewhere this would be the priority of the whole process.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on("message", ({ password, ...task }: HashTask) => {
  const answer =
    "hash" in task ? bcrypt.compareSync(password, task.hash) : bcrypt.hashSync(password, task.rounds);
  parentPort?.postMessage(answer);
});
