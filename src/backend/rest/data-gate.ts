import { createCounter } from "#platform/limits/counter.ts";
import { restError } from "./rest-error.ts";

export type DataGateLimits = {
  /** Running at once for one person; a guest is identified by address only. */
  perPerson: number;
  /** Running at once for one address: less than `total`, so that it cannot block the others. */
  perAddress: number;
  /** Running at once in total. Less than the number of connections, so that sign-in always has some. */
  total: number;
  /** Waiting requests of one person, and how long they may wait. */
  waiting: number;
  waitMs: number;
};

export const DATA_LIMITS: DataGateLimits = {
  perPerson: 4,
  perAddress: 8,
  total: 14,
  waiting: 60,
  waitMs: 5_000,
};

// For all callers together: limits memory and the cost of choosing the next one.
const MAX_WAITING = 1_000;

export type DataCaller = { person: string; address: string };

export type DataGate = (caller: DataCaller, act: () => Promise<Response>) => Promise<Response>;

type Waiter = { caller: DataCaller; go: (isAdmitted: boolean) => void };

/**
 * Shares database connections fairly among the callers of the data API. The caller with the fewest running requests
 * goes next, so one person's slow requests delay only that person. A request that waits too long, or behind too many,
 * is refused.
 */
export function createDataGate(limits: DataGateLimits = DATA_LIMITS): DataGate {
  const ofAddress = createCounter();
  const ofPerson = createCounter();
  const waitingOf = createCounter();
  const waiting = new Set<Waiter>();
  let running = 0;

  const isAtOwnLimit = ({ person, address }: DataCaller) =>
    ofPerson.count(person) >= limits.perPerson || ofAddress.count(address) >= limits.perAddress;
  const mayStart = (caller: DataCaller) => running < limits.total && !isAtOwnLimit(caller);
  const loadOf = ({ person, address }: DataCaller) =>
    ofAddress.count(address) * limits.perPerson + ofPerson.count(person);

  const begin = ({ person, address }: DataCaller) => {
    running += 1;
    ofPerson.add(person);
    ofAddress.add(address);
  };
  const end = ({ person, address }: DataCaller) => {
    running -= 1;
    ofPerson.remove(person);
    ofAddress.remove(address);
    let next: Waiter | undefined;
    for (const waiter of waiting) {
      if (mayStart(waiter.caller) && (!next || loadOf(waiter.caller) < loadOf(next.caller))) next = waiter;
    }
    if (!next) return;
    begin(next.caller);
    next.go(true);
  };

  /** False at once if too many are waiting; resolves to false if the wait timed out. */
  const wait = (caller: DataCaller): Promise<boolean> | false => {
    if (waitingOf.count(caller.person) >= limits.waiting || waiting.size >= MAX_WAITING) return false;
    return new Promise((resolve) => {
      const go = (isAdmitted: boolean) => {
        clearTimeout(timer);
        waiting.delete(waiter);
        waitingOf.remove(caller.person);
        resolve(isAdmitted);
      };
      const waiter: Waiter = { caller, go };
      const timer = setTimeout(() => go(false), limits.waitMs);
      waiting.add(waiter);
      waitingOf.add(caller.person);
    });
  };

  return async (caller, act) => {
    if (mayStart(caller)) begin(caller);
    else if (!(await wait(caller))) return isAtOwnLimit(caller) ? tooManyAtOnce() : tooBusy();
    try {
      return await act();
    } finally {
      end(caller);
    }
  };
}

const refusal = (status: number, message: string) =>
  restError({ status, code: String(status), message, headers: { "retry-after": "1" } });

const tooManyAtOnce = () =>
  refusal(429, "Too many questions at once: wait for the answers to the earlier ones");
const tooBusy = () => refusal(503, "Too many people are asking right now; try again in a moment");
