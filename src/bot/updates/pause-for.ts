import { setTimeout } from "node:timers/promises";

/** Resolves after that time, or at once when the signal is given. */
export async function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);
}
