import type { Logger } from "#core/ports/logger.ts";
import type { CheckAccessToken } from "../auth/access-token.ts";
import type { Identity } from "./identity.ts";
import type { Binding } from "./join-request.ts";
import type { WatchedTables } from "./realtime-schema.ts";

/** What all sockets of one server share. */
export type RealtimeContext = {
  tables: WatchedTables;
  /** Of all sockets, those that are open. */
  channels: Set<Channel>;
  /** Whether changes and ended sessions are being heard of. */
  isListening: boolean;
  hasEnded: (sessionId: string | undefined) => boolean;
  checkToken: CheckAccessToken;
  apiKey: string;
  limits: typeof realtimeLimits;
  logger: Logger;
  now: () => number;
};

export type Channel = {
  bindings: readonly Binding[];
  /** Replaced when the client sends a fresh token. */
  identity: Identity;
  push: (event: string, payload: unknown) => void;
  /** For good: its person may hear no more. */
  close: (reason: string) => void;
  /** Ends the channel so that realtime-js joins again by itself and its user reloads. */
  fail: () => void;
};

export const realtimeLimits = {
  frameBytes: 100_000,
  framesPerSecond: 200,
  /** All of an office come back at once, but not again and again. */
  joinsPerAddressAtOnce: 300,
  joinsPerAddressPerMinute: 300,
  channelsPerSocket: 100,
  channelsPerUser: 200,
  socketsPerAddress: 200,
  sockets: 10_000,
  /** A socket that says nothing for so long is dropped; realtime-js sends a heartbeat every 25 s. */
  idleMs: 60_000,
  /** How often expired tokens are looked for. Until one is found, its channel is open and told nothing. */
  sweepMs: 5_000,
  /** A reader that leaves more than this unread is dropped. */
  unreadBytes: 1_000_000,
  /** Instead of a longer message its channel is made to join again, and its user to reload. */
  messageChars: 500_000,
  /** Changes waiting to be told; beyond this everyone is made to reload instead. */
  pendingChanges: 10_000,
};

export const sessionEnded = "The session of this token has ended";

/** What may be logged of a failure: a database error also carries parameters, and those hold claims. */
export function failureFields(error: unknown): object {
  if (!(error instanceof Error)) return { failure: "unknown" };
  return { failure: error.message, ...("code" in error && { code: error.code }) };
}
