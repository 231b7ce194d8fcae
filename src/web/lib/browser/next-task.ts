/** Ends the current task. The start runs in several tasks, so that a phone can answer its owner between them. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

const LATEST_MS = 3000;

/** Calls back when the browser has painted the page and is idle. */
export function whenIdle(callback: () => void): void {
  // Safari has no requestIdleCallback.
  if (typeof window.requestIdleCallback === "function")
    window.requestIdleCallback(callback, { timeout: LATEST_MS });
  else setTimeout(callback, 500);
}

/** Longer than a frame takes. A tab in the background has no frames. */
const LATEST_FRAME_MS = 200;

/** Calls back after the next frame was painted. */
export function afterFrame(callback: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    setTimeout(callback);
  });
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    callback();
  }, LATEST_FRAME_MS);
}
