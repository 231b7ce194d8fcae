// The steps of a sequence as tasks: one may stop at a write, and goes on later, or when another one waits for what it has
// locked.
import { setTimeout as sleep } from "node:timers/promises";
import type { AccountsServer } from "./accounts-server.ts";
import type { HeldTicket } from "./gated-requests.ts";

export type Task = { ticket: HeldTicket; done: Promise<void>; left: number };

/** How often a task that takes long is looked at. */
const LOOK_MS = 20;
/** Then it waits for something else that a stopped task holds, such as a connection. */
const STUCK_MS = 1_000;
/** More would take all connections of the pool. */
const MOST_STOPPED = 2;

export function createStoppedTasks(server: AccountsServer, trace: string[]) {
  const stopped: Task[] = [];

  const continueFirst = async (): Promise<void> => {
    const task = stopped.shift();
    if (!task) return;
    trace.push("  the stopped request goes on");
    task.ticket.release();
    await settle(task.done);
  };

  const settle = async (done: Promise<unknown>): Promise<void> => {
    // Another request may stop, with a lock, only while this one is waited for.
    while (!(await isSettled(done, { server, isAnyStopped: () => stopped.length > 0 })))
      await continueFirst();
    await done;
  };

  return {
    /** Waits for the work; what it waits for goes on. */
    settle,
    /** Waits until the task is done or stopped. */
    reach: async (task: Task): Promise<void> => {
      const isStopped = task.ticket.held.then(() => void stopped.push(task));
      await settle(Promise.race([task.done, isStopped]));
      if (stopped.length > MOST_STOPPED) await continueFirst();
    },
    /** After each step: the tasks that have been stopped for long enough go on. */
    countStep: async (): Promise<void> => {
      for (const task of stopped) task.left -= 1;
      while (stopped.some(({ left }) => left < 0)) await continueFirst();
    },
    continueAll: async (): Promise<void> => {
      while (stopped.length > 0) await continueFirst();
    },
    /** After a failure. */
    abandon: async (): Promise<void> => {
      for (const { ticket } of stopped) ticket.release();
      await Promise.allSettled(stopped.map(({ done }) => done));
    },
  };
}

type Looking = { server: AccountsServer; isAnyStopped: () => boolean };

/** False if it waits for a lock in the database, or for too long, while another request is stopped. */
async function isSettled(work: Promise<unknown>, { server, isAnyStopped }: Looking): Promise<boolean> {
  let until = performance.now() + STUCK_MS;
  while (performance.now() < until) {
    const looking = new AbortController();
    const isOver = sleep(LOOK_MS, false, { signal: looking.signal }).catch(() => true);
    const isDone = await Promise.race([work.then(() => true), isOver]);
    looking.abort();
    if (isDone) return true;
    if (!isAnyStopped()) {
      until = performance.now() + STUCK_MS;
      continue;
    }
    const locked = await server.database.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`;
    if (locked.length > 0) return false;
  }
  return false;
}
