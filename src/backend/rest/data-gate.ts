import { createCounter } from "#platform/limits/counter.ts";
import { restError } from "./rest-error.ts";

export type DataGateLimits = {
  /** At work at once for one person, a guest being known by address alone. */
  perPerson: number;
  /** For one address, however many accounts it has: less than all, so that one address cannot hold up another. */
  perAddress: number;
  /** Together: fewer than there are connections, so that sign-in always has some. */
  total: number;
  /** Waiting their turn, for one person; and for how long. */
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

// Everyone's together: what it holds in memory stays small, and choosing among them quick.
const ALL_WAITING = 1_000;

export type DataCaller = { person: string; address: string };

export type DataGate = (asker: DataCaller, act: () => Promise<Response>) => Promise<Response>;

type Waiter = { asker: DataCaller; go: (isAdmitted: boolean) => void };

/**
 * Shares the database out among those who ask the data API. Who has the least at work goes first, so that the slowness
 * of one person's questions is that person's own; who waits too long or too often is refused.
 */
export function createDataGate(limits: DataGateLimits = DATA_LIMITS): DataGate {
  const ofAddress = createCounter();
  const ofPerson = createCounter();
  const waitingOf = createCounter();
  const waiting = new Set<Waiter>();
  let atWork = 0;

  const isOwnFault = ({ person, address }: DataCaller) =>
    ofPerson.count(person) >= limits.perPerson || ofAddress.count(address) >= limits.perAddress;
  const mayGo = (asker: DataCaller) => atWork < limits.total && !isOwnFault(asker);
  const loadOf = ({ person, address }: DataCaller) =>
    ofAddress.count(address) * limits.perPerson + ofPerson.count(person);

  const begin = ({ person, address }: DataCaller) => {
    atWork += 1;
    ofPerson.add(person);
    ofAddress.add(address);
  };
  const end = ({ person, address }: DataCaller) => {
    atWork -= 1;
    ofPerson.remove(person);
    ofAddress.remove(address);
    let next: Waiter | undefined;
    for (const waiter of waiting) {
      if (mayGo(waiter.asker) && (!next || loadOf(waiter.asker) < loadOf(next.asker))) next = waiter;
    }
    if (!next) return;
    begin(next.asker);
    next.go(true);
  };

  /** False where the turn did not come. */
  const wait = (asker: DataCaller): Promise<boolean> | false => {
    if (waitingOf.count(asker.person) >= limits.waiting || waiting.size >= ALL_WAITING) return false;
    return new Promise((resolve) => {
      const go = (isAdmitted: boolean) => {
        clearTimeout(timer);
        waiting.delete(waiter);
        waitingOf.remove(asker.person);
        resolve(isAdmitted);
      };
      const waiter: Waiter = { asker, go };
      const timer = setTimeout(() => go(false), limits.waitMs);
      waiting.add(waiter);
      waitingOf.add(asker.person);
    });
  };

  return async (asker, act) => {
    if (mayGo(asker)) begin(asker);
    else if (!(await wait(asker))) return isOwnFault(asker) ? tooManyAtOnce() : tooBusy();
    try {
      return await act();
    } finally {
      end(asker);
    }
  };
}

const refusal = (status: number, message: string) =>
  restError({ status, code: String(status), message, headers: { "retry-after": "1" } });

const tooManyAtOnce = () =>
  refusal(429, "Too many questions at once: wait for the answers to the earlier ones");
const tooBusy = () => refusal(503, "Too many people are asking right now; try again in a moment");
