const FIRST_MS = 3_000;
const LONGEST_MS = 3_600_000;
const UNANSWERED_FIRST_MS = 5_000;
const UNANSWERED_LONGEST_MS = 27_000;

/** How long a thing may fail before it is given up. */
export const PATIENCE_MS = 24 * 3_600_000;
/** Nobody tells a bot that it may speak again. */
export const NO_RIGHTS_MS = 6 * 3_600_000;
/** Told to wait, without a word for how long. */
export const UNSAID_FLOOD_MS = 30_000;

/** After the first, second … failure: three seconds, doubling up to an hour. */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 30), LONGEST_MS);
}

/** The message may have arrived: sooner than after a failure, and not so soon that its answer could still come. */
export function unansweredDelayMs(failures: number): number {
  return Math.min(UNANSWERED_FIRST_MS * 2 ** Math.min(failures - 1, 30), UNANSWERED_LONGEST_MS);
}

/** Up to a tenth more, so that what failed together does not come back together. */
export function jittered(ms: number, random: () => number): number {
  return Math.round(ms * (1 + random() / 10));
}
