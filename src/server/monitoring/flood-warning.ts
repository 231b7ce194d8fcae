// Counts what a flood is refused, and warns of it once a minute.
import type { ServerLogger } from "../log.ts";
import type { Counters } from "./counters.ts";

const EVERY_MS = 60_000;
/** Fewer are somebody's reload or a page with many parts. */
const LEAST = 20;

export type FloodWatch = ReturnType<typeof createFloodWatch>;

export function createFloodWatch(options: {
  counters: Pick<Counters, "onConnectionCut" | "onConnections" | "onRequestLimited">;
  logger: Pick<ServerLogger, "warn">;
  now: () => number;
}) {
  const { counters, logger, now } = options;
  let since = now();
  let seen: Record<string, number> = {};
  const note = (what: string) => {
    if (now() - since >= EVERY_MS) {
      since = now();
      seen = {};
    }
    seen[what] = (seen[what] ?? 0) + 1;
    const total = Object.values(seen).reduce((sum, count) => sum + count, 0);
    // The metrics count what follows within the minute.
    if (total === LEAST)
      logger.warn(seen, "connections or requests are refused: more arrive than are allowed");
  };
  return {
    onCount: counters.onConnections,
    onCut: (reason: "replaced" | "refused") => {
      counters.onConnectionCut(reason);
      note(`connections ${reason}`);
    },
    onLimited: (part: string) => {
      counters.onRequestLimited(part);
      note(`requests to ${part}`);
    },
  };
}
