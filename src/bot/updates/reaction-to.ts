import { GrammyError } from "grammy";

export interface Delays {
  /** The token is wrong or was revoked: only its owner can mend that. */
  readonly refusedMs: number;
  /** Somebody else asks for the updates of this bot. */
  readonly conflictMs: number;
  readonly troubleMs: number;
}

export const DELAYS: Delays = { refusedMs: 60_000, conflictMs: 30_000, troubleMs: 3_000 };

/** A figure beyond it is a mistake, and would leave the bot deaf. */
const LONGEST_MS = 3_600_000;

export interface Reaction {
  readonly delayMs: number;
  /** "error" needs a human. */
  readonly level: "warn" | "error";
}

/** How long to wait before Telegram is asked again. No error ends the bot. */
export function reactionTo(error: unknown, delays: Delays): Reaction {
  if (!(error instanceof GrammyError)) return { delayMs: delays.troubleMs, level: "warn" };
  switch (error.error_code) {
    case 401:
    case 404:
      return { delayMs: delays.refusedMs, level: "error" };
    case 409:
      return { delayMs: delays.conflictMs, level: "warn" };
    case 429:
      return { delayMs: floodDelayMs(error.parameters?.retry_after, delays), level: "warn" };
    default:
      return { delayMs: delays.troubleMs, level: "warn" };
  }
}

function floodDelayMs(saidSeconds: unknown, { troubleMs }: Delays): number {
  const isSaid = typeof saidSeconds === "number" && saidSeconds >= 0;
  return isSaid ? Math.min(saidSeconds * 1000, LONGEST_MS) : troubleMs;
}
