// Requests at a fixed rate that do not wait for one another. A request that starts late because the server was slow counts as slow.
import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "../harness/measure.ts";

/** One request; it throws if it failed. */
export type Act = (number: number) => Promise<void>;

/** A request that takes longer has failed, and counts as this long. */
export const TIMEOUT_MS = 10_000;
const MOST_UNDER_WAY = 2_000;

export class Arrivals {
  readonly times: number[] = [];
  readonly errors = new Map<string, number>();
  #done = 0;
  readonly #underWay = new Set<Promise<void>>();
  readonly #act: Act;
  /** Called for each failure. */
  readonly #onError: (reason: string) => void;

  constructor(act: Act, onError: (reason: string) => void = () => {}) {
    this.#act = act;
    this.#onError = onError;
  }

  /** Starts requests at this rate until then, and waits for all of them. */
  async run(perSecond: number, untilMs: number): Promise<void> {
    const from = performance.now();
    const forMs = untilMs - Date.now();
    for (let number = 0; (number * 1000) / perSecond < forMs; number += 1) {
      const due = from + (number * 1000) / perSecond;
      const early = due - performance.now();
      if (early > 1) await wait(early);
      if (this.#underWay.size >= MOST_UNDER_WAY) this.#fail("too many under way");
      else this.#start(due);
    }
    await Promise.all(this.#underWay);
  }

  get count(): number {
    return this.times.length;
  }

  quantile(share: number): number {
    return quantile(this.times, share);
  }

  #start(due: number): void {
    this.#done += 1;
    const one = withTimeLimit(this.#act(this.#done))
      .then(() => void this.times.push(performance.now() - due))
      .catch((error: unknown) => this.#fail(reasonOf(error)))
      .finally(() => this.#underWay.delete(one));
    this.#underWay.add(one);
  }

  #fail(reason: string): void {
    this.times.push(TIMEOUT_MS);
    this.errors.set(reason, (this.errors.get(reason) ?? 0) + 1);
    this.#onError(reason);
  }
}

function withTimeLimit(act: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), TIMEOUT_MS);
  });
  return Promise.race([act, late]).finally(() => clearTimeout(timer));
}

/** A short reason, so that equal failures are counted together. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}
