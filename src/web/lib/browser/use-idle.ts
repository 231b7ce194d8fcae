import { useEffect, useState } from "react";
import { whenIdle } from "./next-task.ts";

/** False until the browser has painted the page and is idle. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}
