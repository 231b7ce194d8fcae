/** Ends the task: each step of the start is one of its own, so that a phone answers its owner between them. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

const LATEST_MS = 3000;

/** When the browser has shown the page and has nothing better to do. */
export function whenIdle(callback: () => void): void {
  // Safari has no requestIdleCallback.
  if (typeof window.requestIdleCallback === "function")
    window.requestIdleCallback(callback, { timeout: LATEST_MS });
  else setTimeout(callback, 500);
}
