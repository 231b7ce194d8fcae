export type RealtimeLimits = {
  frameBytes: number;
  framesPerSecond: number;
  joinsPerSecond: number;
  /** Each join costs a question to the database. All of an office come back at once, but not again and again. */
  joinsPerAddressAtOnce: number;
  joinsPerAddressPerMinute: number;
  channelsPerSocket: number;
  socketsPerAddress: number;
  socketsPerUser: number;
  sockets: number;
  /** A socket that says nothing for so long is dropped; realtime-js sends a heartbeat every 25 s. */
  idleMs: number;
  /** A reader that leaves more than this unread is dropped. */
  unreadBytes: number;
  /** A longer record is sent without its long values, marked 413 as hosted Realtime does. */
  recordBytes: number;
  /** Changes waiting to be told; beyond this everyone is made to reload instead. */
  pendingChanges: number;
};

export const defaultLimits: RealtimeLimits = {
  frameBytes: 100_000,
  framesPerSecond: 200,
  joinsPerSecond: 50,
  joinsPerAddressAtOnce: 300,
  joinsPerAddressPerMinute: 300,
  channelsPerSocket: 100,
  socketsPerAddress: 200,
  socketsPerUser: 50,
  sockets: 10_000,
  idleMs: 60_000,
  unreadBytes: 1_000_000,
  recordBytes: 500_000,
  pendingChanges: 10_000,
};

/** True while the caller stays within `limit` a second. */
export function createRateLimit(limit: number, now: () => number): () => boolean {
  let windowStartMs = now();
  let count = 0;
  return () => {
    const nowMs = now();
    if (nowMs - windowStartMs >= 1000) {
      windowStartMs = nowMs;
      count = 0;
    }
    count += 1;
    return count <= limit;
  };
}
