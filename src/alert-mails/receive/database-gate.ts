import { within } from "#platform/timing/within.ts";

/** The database is away or too slow: whoever asked is told to come again. */
export class BusyError extends Error {
  override name = "BusyError";
}

export interface DatabaseGate {
  run<Answer>(work: () => Promise<Answer>): Promise<Answer>;
}

export interface GateLimits {
  /** Of the connections that all parts share. */
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
  readonly answerMs: number;
}

/** After so long an answer never comes: the driver has lost its connection. */
const LOST_MS = 60_000;

/** Strangers' mails ask the database a few at a time, however many come, and each gets an answer in time. */
export function createDatabaseGate({
  atOnce,
  waiting: maxWaiting,
  waitMs,
  answerMs,
}: GateLimits): DatabaseGate {
  const waiting = new Set<() => void>();
  let running = 0;

  const enter = async () => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.size >= maxWaiting) throw new BusyError("too many wait");
    const turn = Promise.withResolvers<void>();
    waiting.add(turn.resolve);
    try {
      await within(waitMs, turn.promise);
    } catch (cause) {
      // Handed over at the very moment the time was up.
      if (!waiting.delete(turn.resolve)) leave();
      throw new BusyError("no turn in time", { cause });
    }
  };
  const leave = () => {
    const [next] = waiting;
    if (!next) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return {
    run: async (work) => {
      await enter();
      const answer = work();
      // A database that hangs keeps its place, or questions without end would pile up behind it.
      void within(LOST_MS, answer).then(leave, leave);
      try {
        return await within(answerMs, answer);
      } catch (cause) {
        throw new BusyError("no answer", { cause });
      }
    },
  };
}
