/**
 * Loads scripts and texts until they are there:
 *
 *   loading ─► loaded
 *   loading ─► failed      the failure is reported, and the next attempt waits
 *   failed ─► loading      the connection is back, the person asks for it, or the delay is over
 *
 * Browsers fetch a module again if an earlier import of it failed, so another attempt needs no other address.
 */
import { logProblem } from "../browser/log.ts";
import { LOAD_DELAY_MS } from "../site/constants.ts";
import { keepPage } from "./kept-page.ts";
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
  for (let attempt = 0; ; attempt++) {
    try {
      return await load();
    } catch (error) {
      const reason = await reasonOfFailure(keepPage);
      if (attempt === 0) logProblem("A part of the page could not be loaded", error);
      onFailure(reason);
      await delayBefore(attempt + 1);
    }
  }
}

function delayBefore(attempt: number): Promise<void> {
  const delayMs = Math.min(LOAD_DELAY_MS.first * 2 ** (attempt - 1), LOAD_DELAY_MS.longest);
  return new Promise((resolve) => {
    const done = new AbortController();
    const wake = () => {
      clearTimeout(timer);
      waiting.delete(wake);
      done.abort();
      resolve();
    };
    const timer = setTimeout(wake, delayMs);
    waiting.add(wake);
    window.addEventListener("online", wake, { signal: done.signal });
  });
}
