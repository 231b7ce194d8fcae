import type { IncomingMessage } from "node:http";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { createCounter } from "#platform/limits/counter.ts";
import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import type { Bearer, CheckAccessToken } from "../auth/access-token.ts";
import type { OpenChannels } from "./open-channels.ts";
import type { WatchedTables } from "./realtime-schema.ts";

/** What all sockets of one server share. */
export type RealtimeContext = {
  /** Connections that log in with a role that owns nothing, for reading rows with a subscriber's rights. */
  peopleSql: Sql;
  tables: WatchedTables;
  channels: OpenChannels;
  socketsOfUser: ReturnType<typeof createCounter>;
  /** Whether notifications of changes and of ended sessions arrive. */
  isListening: boolean;
  /** Sessions that ended recently: one may end between the check of its token and the start of its channel. */
  endedAtMs: Map<string, number>;
  /** Checks signature and expiry, without the database. */
  verifyToken: CheckAccessToken;
  hasSession: (bearer: Bearer) => Promise<boolean>;
  /** The key is public: it says which project is meant, not who asks. */
  isApiKey: (text: string) => Promise<boolean>;
  addressOf: (request: IncomingMessage) => string;
  limits: RealtimeLimits;
  rates: ReturnType<typeof createRates>;
  logger: Logger;
  now: () => number;
};

export type RealtimeLimits = typeof realtimeLimits;

/** Everything a client can make us do or keep is bounded by one of these. Rates are per minute, after the burst. */
export const realtimeLimits = {
  frameBytes: 65_536,
  bytesCountedAsFrame: 4_096,
  /** A frame may arrive in this many fragments or packets. */
  partsPerFrame: 256,
  /** Frames that arrive together wait while the first is answered. A client with 100 channels sends 100 joins at once. */
  waitingFrames: 250,
  /** Frames of every kind, pings and new sockets included. A large frame counts once more for every 4 KB. */
  framesPerAddress: { burst: 1_000, perWindow: 3_000 },
  /** Everyone in an office reconnects at once after a restart. */
  joinsPerAddress: { burst: 300, perWindow: 300 },
  /** Joins and new tokens; each may cost a session check in the database. */
  joinsPerUser: { burst: 200, perWindow: 200 },
  channelsPerSocket: 100,
  bindingsPerSocket: 500,
  channelsPerUser: 100,
  socketsPerUser: 20,
  socketsPerAddress: 200,
  sockets: 10_000,
  /** A silent socket is dropped after this time; realtime-js sends a heartbeat every 25 s. */
  idleMs: 60_000,
  /** A client that leaves more than this unread is dropped. */
  unreadBytes: 1_000_000,
  /** A channel with a longer message has to join again, and its page reloads. */
  messageChars: 500_000,
  /** Changes sent to all channels of a user. Beyond this, and beyond `pendingChanges`, their channels join again and reload. */
  messagesPerUser: { burst: 10_000, perWindow: 30_000 },
  pendingChanges: 2_000,
};

export function createRates(limits: RealtimeLimits) {
  const perMinute = (limit: { burst: number; perWindow: number }) =>
    createRateLimiter({ ...limit, windowMs: 60_000 });
  return {
    framesOfAddress: perMinute(limits.framesPerAddress),
    joinsOfAddress: perMinute(limits.joinsPerAddress),
    joinsOfUser: perMinute(limits.joinsPerUser),
    messagesOfUser: perMinute(limits.messagesPerUser),
  };
}
