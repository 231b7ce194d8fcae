import { logProblem } from "#web/lib/browser/log.ts";

const PATIENCE_MS = 2000;

let preparing: Promise<void> | undefined;

/**
 * The first number a page formats makes the browser read its list of locales, which stops a phone for a tenth of a
 * second. Chromium keeps one list for all threads of a page: read in a worker, it stops nobody. Never fails: without
 * the worker the first number takes as long as it takes.
 */
export function prepareFormats(): Promise<void> {
  preparing ??= new Promise<void>((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
    const worker = new Worker(new URL("./formats-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = () => resolve();
    worker.onerror = () => resolve();
  }).catch((error: unknown) => logProblem("The number formats could not be prepared", error));
  return preparing;
}
