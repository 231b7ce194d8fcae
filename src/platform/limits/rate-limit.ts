export type RateLimit = { perWindow: number; windowMs: number; burst: number };

export type RateLimiter = {
  /** Takes tokens (one by default) from the key's bucket. Returns false and takes nothing if there are too few. */
  take: (key: string, now: number, count?: number) => boolean;
  /** Returns one that should not count. */
  giveBack: (key: string, now: number) => void;
  isSpent: (key: string, now: number) => boolean;
  waitMs: (key: string, now: number) => number;
};

type Bucket = { tokens: number; at: number };

// Above this number full buckets are dropped: a full bucket and no bucket are equivalent.
const MAX_KEYS = 50_000;

/** A token bucket per key: `burst` tokens, refilled with `perWindow` per window. */
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
    // Drops a tenth more than needed. Otherwise a flood of keys would scan all buckets on every request.
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
    giveBack: (key, now) => {
      if (buckets.has(key)) buckets.set(key, { tokens: Math.min(burst, tokensOf(key, now) + 1), at: now });
    },
    isSpent: (key, now) => tokensOf(key, now) < 1,
    waitMs: (key, now) => (Math.max(0, 1 - tokensOf(key, now)) / perWindow) * windowMs,
  };
}
