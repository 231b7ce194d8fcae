// Arrivals that do not wait for one another, as people do not: who comes late because the server was slow counts as slow.
import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "../bench-server.ts";

/** One thing that a person or the outside does; it throws where it did not succeed. */
export type Act = (number: number) => Promise<void>;

/** What is not through by then has failed, and counts as this long. */
export const PATIENCE_MS = 10_000;
const MOST_UNDER_WAY = 2_000;

export class Arrivals {
  readonly times: number[] = [];
  readonly errors = new Map<string, number>();
  #done = 0;
  readonly #underWay = new Set<Promise<void>>();
  readonly #act: Act;
  /** Told of each failure, for whoever sorts them. */
  readonly #onError: (reason: string) => void;

  constructor(act: Act, onError: (reason: string) => void = () => {}) {
    this.#act = act;
    this.#onError = onError;
  }

  /** Comes at this rate until then; settles when all are through. */
  async come(perSecond: number, untilMs: number): Promise<void> {
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
    const one = withPatience(this.#act(this.#done))
      .then(() => void this.times.push(performance.now() - due))
      .catch((error: unknown) => this.#fail(reasonOf(error)))
      .finally(() => this.#underWay.delete(one));
    this.#underWay.add(one);
  }

  #fail(reason: string): void {
    this.times.push(PATIENCE_MS);
    this.errors.set(reason, (this.errors.get(reason) ?? 0) + 1);
    this.#onError(reason);
  }
}

function withPatience(act: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), PATIENCE_MS);
  });
  return Promise.race([act, late]).finally(() => clearTimeout(timer));
}

/** In one or two words, so that like is counted with like. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}
