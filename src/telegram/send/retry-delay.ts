const FIRST_MS = 3_000;
const LONGEST_MS = 3_600_000;
const SERVER_DOWN_LONGEST_MS = 60_000;
const UNANSWERED_FIRST_MS = 5_000;
const UNANSWERED_LONGEST_MS = 27_000;

/** How long an alert or a chat may fail before it is given up. */
export const PATIENCE_MS = 24 * 3_600_000;
const NO_RIGHTS_FIRST_MS = 120_000;
const NO_RIGHTS_LONGEST_MS = 1_800_000;
/** For a 429 response without retry_after. */
const UNSAID_FLOOD_MS = 30_000;
/** A longer retry_after is taken for a mistake. */
const LONGEST_FLOOD_MS = 24 * 3_600_000;
const FLOOD_MARGIN_MS = 250;

/** After the first, second … failure: three seconds, doubling up to an hour. */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 30), LONGEST_MS);
}

/** For a chat that may not be written to now. Telegram does not always tell a bot that it has regained rights. */
export function noRightsDelayMs(failures: number): number {
  return Math.min(NO_RIGHTS_FIRST_MS * 2 ** Math.min(failures - 1, 30), NO_RIGHTS_LONGEST_MS);
}

/** While Telegram's server fails. Its return ends all waits within about a minute. */
export function serverDownDelayMs(failures: number): number {
  return Math.min(retryDelayMs(failures), SERVER_DOWN_LONGEST_MS);
}

/** For a message that may have arrived: a shorter maximum than after a failure, but long enough for a late answer. */
export function unansweredDelayMs(failures: number): number {
  return Math.min(UNANSWERED_FIRST_MS * 2 ** Math.min(failures - 1, 30), UNANSWERED_LONGEST_MS);
}

/** As long as Telegram says, plus a margin for differing clocks. */
export function floodDelayMs(saidMs: number | null, random: () => number): number {
  const waitMs = Math.min(saidMs ?? UNSAID_FLOOD_MS, LONGEST_FLOOD_MS);
  return waitMs + FLOOD_MARGIN_MS + Math.round(random() * FLOOD_MARGIN_MS);
}

/** Adds up to a tenth, so that what failed together is not retried together. */
export function jittered(ms: number, random: () => number): number {
  return Math.round(ms * (1 + random() / 10));
}
