const FIRST_MS = 3_000;
const LONGEST_MS = 3_600_000;
const SERVER_DOWN_LONGEST_MS = 60_000;
const UNANSWERED_FIRST_MS = 5_000;
const UNANSWERED_LONGEST_MS = 27_000;
const MINUTE_MS = 60_000;
/** The time to the second and third send of a message that Telegram may have taken each time. */
const COPY_DELAYS_MS = [UNANSWERED_FIRST_MS, 10 * MINUTE_MS] as const;
/** While only the messages to one chat are not answered. The third is another alert's, which shows whose fault it is. */
const SILENT_CHAT_DELAYS_MS = [
  UNANSWERED_FIRST_MS,
  UNANSWERED_FIRST_MS,
  10 * MINUTE_MS,
  60 * MINUTE_MS,
] as const;
const SILENT_CHAT_LONGEST_MS = 6 * 60 * MINUTE_MS;
const REFUSED_DELAYS_MS = [MINUTE_MS, 10 * MINUTE_MS, 50 * MINUTE_MS] as const;

/** How long an alert or a chat may fail before it is given up. */
export const PATIENCE_MS = 24 * 3_600_000;
/** How long a message is tried that Telegram refuses in its simplest form: its words may be about a passing fault. */
export const REFUSED_PATIENCE_MS = 60 * MINUTE_MS;
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

/** After so many sends without an answer; undefined if another send could be one copy too many. */
export function copyDelayMs(unanswered: number): number | undefined {
  return COPY_DELAYS_MS[unanswered - 1];
}

/** After so many messages to a chat without an answer, though Telegram answers questions about the bot. */
export function silentChatDelayMs(failures: number): number {
  return SILENT_CHAT_DELAYS_MS[failures - 1] ?? SILENT_CHAT_LONGEST_MS;
}

/** After so many refusals of a message in every form. */
export function refusedDelayMs(tries: number): number {
  return REFUSED_DELAYS_MS[Math.min(tries, REFUSED_DELAYS_MS.length) - 1] ?? MINUTE_MS;
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
