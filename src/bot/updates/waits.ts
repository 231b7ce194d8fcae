import { pauseFor } from "./pause-for.ts";

/** More than ever wait at once; who comes then is not waited for. */
const MOST = 1_000;

/** Those among the updates in hand that only wait, and so keep no place from others. */
export interface Waits {
  readonly count: number;
  /** False, at once, where too many wait already. */
  wait(ms: number, signal?: AbortSignal): Promise<boolean>;
}

export function createWaits(onWait: () => void): Waits {
  let count = 0;
  return {
    get count() {
      return count;
    },
    wait: async (ms, signal) => {
      if (count >= MOST) return false;
      count += 1;
      onWait();
      await pauseFor(ms, signal);
      count -= 1;
      return true;
    },
  };
}
