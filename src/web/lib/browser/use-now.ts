import { useEffect, useState } from "react";

/** The current time, updated at this interval while the page is visible, and when it becomes visible again. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const renew = () => setNow(new Date());
    const timer = setInterval(renew, everyMs);
    document.addEventListener("visibilitychange", renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, [everyMs]);
  return now;
}
