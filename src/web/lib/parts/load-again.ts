/**
 * Loads scripts and texts until they are there:
 *
 *   loading ─► loaded
 *   loading ─► failed      the failure is reported, and the next attempt waits
 *   failed ─► loading      the connection is back, the person asks for it, or the delay is over. If the connection came
 *                          back during an attempt, the next one follows at once. The delays then start with the shortest again.
 *
 * Browsers fetch a module again if an earlier import of it failed, so another attempt needs no other address.
 */
import { logProblem } from "../browser/log.ts";
import { LOAD_DELAY_MS } from "../site/constants.ts";
import { type LoadFailure, reasonOfFailure } from "./reason-of-failure.ts";

const waiting = new Set<() => void>();

/** Ends the delay of everything that waits for its next attempt. */
export function loadAgainNow(): void {
  for (const wake of [...waiting]) wake();
}

/** Resolves when `load` has succeeded. `onFailure` is called after each failed attempt. */
export async function loadAgain<Loaded>(
  load: () => Promise<Loaded>,
  onFailure: (reason: LoadFailure) => void,
): Promise<Loaded> {
  let isBack = false;
  const ended = new AbortController();
  const onOnline = () => {
    isBack = true;
    loadAgainNow();
  };
  window.addEventListener("online", onOnline, { signal: ended.signal });
  let delayMs: number = LOAD_DELAY_MS.first;
  for (let failures = 0; ; failures++) {
    isBack = false;
    try {
      const loaded = await load();
      ended.abort();
      return loaded;
    } catch (error) {
      const reason = await reasonOfFailure();
      if (failures === 0) logProblem("A part of the page could not be loaded", error);
      onFailure(reason);
      if (!isBack) await delayOf(delayMs);
      // Browsers announce a connection before everything can be reached.
      delayMs = isBack ? LOAD_DELAY_MS.first : Math.min(delayMs * 2, LOAD_DELAY_MS.longest);
    }
  }
}

function delayOf(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, delayMs);
    waiting.add(wake);
  });
}
