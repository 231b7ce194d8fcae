import { useEffect, useState } from "react";

const LATEST_MS = 3000;

/** False until the browser has shown the page and has nothing better to do. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const done = () => setIdle(true);
    // Safari has no requestIdleCallback.
    if (typeof window.requestIdleCallback !== "function") {
      const timer = setTimeout(done, 500);
      return () => clearTimeout(timer);
    }
    const handle = window.requestIdleCallback(done, { timeout: LATEST_MS });
    return () => window.cancelIdleCallback(handle);
  }, []);
  return isIdle;
}
