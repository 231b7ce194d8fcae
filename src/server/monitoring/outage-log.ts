import type { ServerLogger } from "../log.ts";

export type OutageLogOptions = {
  logger: ServerLogger;
  probe: () => Promise<boolean>;
  now: () => number;
};

type Outage = { since: number; leftOut: number };

const PROBE_MS = 1_000;
const SUM_UP_MS = 60_000;
// Error codes of the drivers, and of PostgreSQL when it ends a connection.
const AWAY_CODES = /^(?:CONNECTION_(?:CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|57P0[1-3]|08...|55000)$/;
const SOCKET_CODES = /^(?:ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/;
const DRIVERS = /node_modules\/(?:pg|pg-pool|postgres)\//;
const AWAY_WORDS =
  /^Connection terminated|^timeout exceeded when trying to connect|^No answer within \d+ ms$/;

/** Logs a database outage once, sums up the suppressed errors every minute, and logs its end. */
export function createOutageLog({ logger, probe, now }: OutageLogOptions) {
  let outage: Outage | undefined;
  let timer: NodeJS.Timeout | undefined;
  let summedUpAt = 0;

  const begin = (err: unknown) => {
    outage = { since: now(), leftOut: 0 };
    summedUpAt = now();
    logger.error({ err }, "the database does not answer");
    timer = setTimeout(look, PROBE_MS);
  };
  const look = async () => {
    const isBack = await probe().catch(() => false);
    if (!outage) return;
    const seconds = Math.round((now() - outage.since) / 1000);
    const facts = { seconds, leftOut: outage.leftOut };
    if (isBack) {
      outage = undefined;
      logger.warn(facts, "the database answers again");
      return;
    }
    if (now() - summedUpAt >= SUM_UP_MS) {
      summedUpAt = now();
      logger.error(facts, "the database still does not answer");
    }
    timer = setTimeout(look, PROBE_MS);
  };

  const filtered =
    (level: "warn" | "error") =>
    (fields: object, message?: string): void => {
      const err = "err" in fields ? fields.err : undefined;
      if (!isDatabaseAway(err)) logger[level](fields, message);
      else if (outage) outage.leftOut += 1;
      else begin(err);
    };
  return {
    logger: {
      debug: logger.debug.bind(logger),
      info: logger.info.bind(logger),
      child: logger.child.bind(logger),
      warn: filtered("warn"),
      error: filtered("error"),
    } as ServerLogger,
    stop: () => {
      outage = undefined;
      clearTimeout(timer);
    },
  };
}

export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  // Not always an Error: the job queue reports a copy.
  const { code = "", message = "", stack = "", cause } = error as Record<string, unknown>;
  if (AWAY_CODES.test(String(code)) || AWAY_WORDS.test(String(message))) return true;
  // Mail servers and portals also refuse connections: only the stack of a database driver identifies the database.
  if (SOCKET_CODES.test(String(code)) && DRIVERS.test(String(stack))) return true;
  return isDatabaseAway(cause);
}
