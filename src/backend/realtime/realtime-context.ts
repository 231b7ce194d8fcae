import type { IncomingMessage } from "node:http";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { CheckAccessToken } from "../auth/access-token.ts";
import type { OpenChannels } from "./open-channels.ts";
import type { WatchedTables } from "./realtime-schema.ts";

/** What all sockets of one server share. */
export type RealtimeContext = {
  sql: Sql;
  tables: WatchedTables;
  /** Of all sockets. */
  channels: OpenChannels;
  /** Whether changes and ended sessions are being heard of. */
  isListening: boolean;
  /** Of late, for joins under way: their session may end between the check of it and the channel. */
  endedAtMs: Map<string, number>;
  checkToken: CheckAccessToken;
  apiKey: string;
  addressOf: (request: IncomingMessage) => string;
  limits: typeof realtimeLimits;
  logger: Logger;
  now: () => number;
};

export const realtimeLimits = {
  frameBytes: 100_000,
  framesPerSecond: 200,
  /** All of an office come back at once, but not again and again. */
  joinsPerAddress: { burst: 300, perWindow: 300 },
  channelsPerSocket: 100,
  channelsPerUser: 200,
  socketsPerAddress: 200,
  sockets: 10_000,
  /** A socket that says nothing for so long is dropped; realtime-js sends a heartbeat every 25 s. */
  idleMs: 60_000,
  /** A reader that leaves more than this unread is dropped. */
  unreadBytes: 1_000_000,
  /** Instead of a longer message its channel is made to join again, and its user to reload. */
  messageChars: 500_000,
  /** Changes waiting to be told; beyond this everyone is made to reload instead. */
  pendingChanges: 10_000,
};
