export type RateLimit = { perWindow: number; windowMs: number; burst: number };

export type RateLimiter = {
  /** Takes one, or a number of them, from the key's allowance; false, taking nothing, when not enough are left. */
  take: (key: string, now: number, count?: number) => boolean;
  /** Whether `take` would be refused, taking nothing. */
  isSpent: (key: string, now: number) => boolean;
  /** How long until `take` would not be refused. */
  waitMs: (key: string, now: number) => number;
};

type Bucket = { tokens: number; at: number };

// Past this many keys the fullest buckets are forgotten: a full bucket and no bucket mean the same.
const MAX_KEYS = 50_000;

/** A token bucket for each key: `burst` at once, refilled at `perWindow` a window. */
export function createRateLimiter({ perWindow, windowMs, burst }: RateLimit): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const tokensOf = (key: string, now: number) => {
    const bucket = buckets.get(key);
    if (!bucket) return burst;
    const refill = (Math.max(0, now - bucket.at) / windowMs) * perWindow;
    return Math.min(burst, bucket.tokens + refill);
  };
  const dropFull = (now: number) => {
    for (const key of buckets.keys()) if (tokensOf(key, now) >= burst) buckets.delete(key);
    // A tenth more than needed, or a flood would make every request look through them all.
    for (const key of buckets.keys()) {
      if (buckets.size <= MAX_KEYS * 0.9) return;
      buckets.delete(key);
    }
  };
  return {
    take: (key, now, count = 1) => {
      const tokens = tokensOf(key, now);
      if (tokens < count) return false;
      buckets.delete(key);
      buckets.set(key, { tokens: tokens - count, at: now });
      if (buckets.size > MAX_KEYS) dropFull(now);
      return true;
    },
    isSpent: (key, now) => tokensOf(key, now) < 1,
    waitMs: (key, now) => (Math.max(0, 1 - tokensOf(key, now)) / perWindow) * windowMs,
  };
}
