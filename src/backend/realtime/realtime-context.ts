import type { Sql } from "postgres";
import type { ChangeListener } from "./change-listener.ts";
import type { Counter } from "./counter.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import type { VerifyToken } from "./identity.ts";
import type { RealtimeLimits } from "./limits.ts";
import type { Logger } from "./logger.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** What all sockets of one server share. */
export type RealtimeContext = {
  sql: Sql;
  subscriptions: Subscriptions;
  listener: Pick<ChangeListener, "isListening">;
  socketsOfUser: Counter;
  endedSessions: EndedSessions;
  verifyToken: VerifyToken;
  roles: readonly string[];
  limits: RealtimeLimits;
  logger: Logger;
  now: () => number;
};
