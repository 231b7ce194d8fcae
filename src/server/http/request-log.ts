// One line per request, and under a flood a sample: a journal that is full drops the lines that matter.
import type { ServerLogger } from "../log.ts";

const LINES_PER_MINUTE = 1_000;
const MINUTE_MS = 60_000;

export type RequestEntry = {
  requestId: string;
  method: string;
  path: string;
  status: number;
  durationMs: number;
};

/** Failures of ours are always logged. Of the others a minute has so many lines, and the rest are counted in one. */
export function createRequestLog(
  logger: Pick<ServerLogger, "info">,
  now: () => number,
): (entry: RequestEntry) => void {
  let minute = { startedAt: 0, succeeded: 0, refused: 0 };
  const startMinute = (startedAt: number) => {
    const { succeeded, refused } = minute;
    const unlogged = { succeeded: over(succeeded), refused: over(refused) };
    if (unlogged.succeeded + unlogged.refused > 0) logger.info(unlogged, "more requests in a minute");
    minute = { startedAt, succeeded: 0, refused: 0 };
  };
  return (entry) => {
    const at = now();
    if (at - minute.startedAt >= MINUTE_MS) startMinute(at);
    if (entry.status >= 500) return logger.info(entry, "request");
    const kind = entry.status < 400 ? "succeeded" : "refused";
    minute[kind] += 1;
    if (over(minute[kind]) === 0) logger.info(entry, "request");
  };
}

const over = (count: number) => Math.max(0, count - LINES_PER_MINUTE);
