import { withTimeout } from "../timing.ts";

export class BusyError extends Error {
  override name = "BusyError";
}

export type SemaphoreLimits = {
  atOnce: number;
  /** How many callers may wait in each lane, and for how long; unlimited if absent. */
  waiting?: number;
  waitMs?: number;
};

/** `isUrgent`: goes before all who are not, and waits apart from them. */
type Turn = { caller?: string; isUrgent?: boolean };

export type Semaphore = {
  /** Whether `enter` would reject at once. */
  isFull: (turn?: Turn) => boolean;
  /** Resolves with a function that releases the slot. Rejects with BusyError if no slot is free in time. */
  enter: (turn?: Turn) => Promise<() => void>;
  run: <Result>(work: () => Promise<Result>, turn?: Turn) => Promise<Result>;
};

/**
 * Limits concurrency. Callers take turns: a caller with a hundred requests waits a hundred turns, and a caller with a
 * single request waits for one request of each other caller.
 */
export function createSemaphore({ atOnce, waiting: maxWaiting, waitMs }: SemaphoreLimits): Semaphore {
  let free = atOnce;
  const urgent = createLane();
  const ordinary = createLane();

  const release = () => {
    const admit = urgent.next() ?? ordinary.next();
    if (admit) admit();
    else free += 1;
  };

  const laneOf = ({ isUrgent = false }: Turn) => (isUrgent ? urgent : ordinary);
  const isLaneFull = (lane: Lane) => maxWaiting !== undefined && lane.count() >= maxWaiting;

  const wait = async (lane: Lane, caller: string) => {
    if (isLaneFull(lane)) throw new BusyError("too many callers waiting");
    const turn = Promise.withResolvers<void>();
    lane.add(caller, turn.resolve);
    try {
      await (waitMs === undefined ? turn.promise : withTimeout(waitMs, turn.promise));
    } catch (cause) {
      // The slot may have been passed on at the moment of the timeout.
      if (!lane.remove(caller, turn.resolve)) release();
      throw new BusyError("timed out waiting for a slot", { cause });
    }
  };

  const enter = async (turn: Turn = {}) => {
    if (free > 0) free -= 1;
    else await wait(laneOf(turn), turn.caller ?? "");
    return release;
  };

  return {
    isFull: (turn = {}) => free === 0 && isLaneFull(laneOf(turn)),
    enter,
    run: async (work, turn) => {
      const leave = await enter(turn);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

type Lane = ReturnType<typeof createLane>;

function createLane() {
  let count = 0;
  // In the order of turns: an admitted caller moves to the end.
  const waiting = new Map<string, (() => void)[]>();
  return {
    count: () => count,
    add: (caller: string, admit: () => void) => {
      const turns = waiting.get(caller);
      if (turns) turns.push(admit);
      else waiting.set(caller, [admit]);
      count += 1;
    },
    next: (): (() => void) | undefined => {
      const [first] = waiting;
      if (!first) return undefined;
      const [caller, turns] = first;
      waiting.delete(caller);
      const admit = turns.shift();
      if (turns.length > 0) waiting.set(caller, turns);
      count -= 1;
      return admit;
    },
    remove: (caller: string, admit: () => void): boolean => {
      const turns = waiting.get(caller) ?? [];
      const index = turns.indexOf(admit);
      if (index < 0) return false;
      turns.splice(index, 1);
      if (turns.length === 0) waiting.delete(caller);
      count -= 1;
      return true;
    },
  };
}
