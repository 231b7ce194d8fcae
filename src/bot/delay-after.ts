import { GrammyError } from "grammy";

export interface Delays {
  /** The token is wrong or was revoked: only its owner can mend that. */
  readonly refusedMs: number;
  /** Somebody else asks for the updates of this bot. */
  readonly conflictMs: number;
  readonly troubleMs: number;
}

export const DELAYS: Delays = { refusedMs: 60_000, conflictMs: 30_000, troubleMs: 3_000 };

/** How long to wait before Telegram is asked again. No error ends the bot. */
export function delayAfter(error: unknown, delays: Delays): number {
  if (!(error instanceof GrammyError)) return delays.troubleMs;
  switch (error.error_code) {
    case 401:
    case 404:
      return delays.refusedMs;
    case 409:
      return delays.conflictMs;
    case 429:
      return (error.parameters?.retry_after ?? delays.troubleMs / 1000) * 1000;
    default:
      return delays.troubleMs;
  }
}
