const FIRST_MS = 3_000;
const LONGEST_MS = 3_600_000;
const UNANSWERED_FIRST_MS = 5_000;
const UNANSWERED_LONGEST_MS = 27_000;

/** How long a thing may fail before it is given up. */
export const PATIENCE_MS = 24 * 3_600_000;
/** Nobody tells a bot that it may speak again. */
export const NO_RIGHTS_MS = 6 * 3_600_000;
/** Told to wait, without a word for how long. */
const UNSAID_FLOOD_MS = 30_000;
/** Nobody is asked to wait longer; a figure beyond it is a mistake, and would silence a chat for good. */
const LONGEST_FLOOD_MS = 24 * 3_600_000;
const FLOOD_MARGIN_MS = 250;

/** After the first, second … failure: three seconds, doubling up to an hour. */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 30), LONGEST_MS);
}

/** The message may have arrived: sooner than after a failure, and not so soon that its answer could still come. */
export function unansweredDelayMs(failures: number): number {
  return Math.min(UNANSWERED_FIRST_MS * 2 ** Math.min(failures - 1, 30), UNANSWERED_LONGEST_MS);
}

/** As long as Telegram says, and a little more: its clock is not ours. */
export function floodDelayMs(saidMs: number | null, random: () => number): number {
  const waitMs = Math.min(saidMs ?? UNSAID_FLOOD_MS, LONGEST_FLOOD_MS);
  return waitMs + FLOOD_MARGIN_MS + Math.round(random() * FLOOD_MARGIN_MS);
}

/** Up to a tenth more, so that what failed together does not come back together. */
export function jittered(ms: number, random: () => number): number {
  return Math.round(ms * (1 + random() / 10));
}
