/** Up to here a feed has a place of its own in the interval; beyond, the interval counts from its last check. */
export const LONGEST_SHARED_SECONDS = 3_600;
/** No later than promised, and some a little earlier, so that feeds that began together drift apart. */
const SPREAD = 0.1;

/** The next moment of a feed's own place in the interval, so that checks spread instead of coming together. */
export function nextCheckAt(key: string, now: number, intervalSeconds: number): number {
  const intervalMs = intervalSeconds * 1000;
  // A place in days would cost requests: whoever changes to another interval would be checked before its time.
  if (intervalSeconds > LONGEST_SHARED_SECONDS) return now + intervalMs - spreadOf(key, intervalMs * SPREAD);
  const phase = spreadOf(key, intervalMs);
  const slot = Math.floor((now - phase) / intervalMs) * intervalMs + phase + intervalMs;
  // A slot that is almost here was meant for the check that has just been made.
  return slot - now < intervalMs * 0.05 ? slot + intervalMs : slot;
}

/** Some part of the span, always the same for a key. */
export function spreadOf(key: string, spanMs: number): number {
  return hashOf(key) % Math.max(1, Math.floor(spanMs));
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash;
}
