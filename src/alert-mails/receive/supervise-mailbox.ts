import type { Logger } from "#core/ports/logger.ts";
import { takeSessionLock } from "#platform/database/session-lock.ts";
import { sleep } from "#platform/timing.ts";
import { MailboxError, type MailboxOptions, readMailbox } from "./read-mailbox.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** One process at a time reads the mailbox, over all machines; whatever breaks, it goes on trying. */
export async function superviseMailbox(
  options: MailboxOptions & { readonly databaseUrl: string },
  stopping: AbortSignal,
): Promise<void> {
  const { databaseUrl, logger } = options;
  while (!stopping.aborted) {
    const lock = await takeSessionLock({ databaseUrl, name: "mailbox", signal: stopping });
    if (lock === undefined) return;
    await readAgainAndAgain(options, AbortSignal.any([stopping, lock.lost]));
    await lock.release();
    logger.info({}, "the mailbox is no longer ours");
  }
}

async function readAgainAndAgain(options: MailboxOptions, signal: AbortSignal): Promise<void> {
  const { logger } = options;
  let pauseMs = FIRST_PAUSE_MS;
  let trouble: string | undefined;
  const onRead = () => {
    pauseMs = FIRST_PAUSE_MS;
    if (trouble !== undefined) logger.info({}, "the mailbox is read again");
    trouble = undefined;
  };
  while (!signal.aborted) {
    await readMailbox(options, { signal, onRead }).catch((error: unknown) => sayTrouble(error));
    await sleep(pauseMs, signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }

  function sayTrouble(error: unknown): void {
    if (signal.aborted) return;
    const words = wordsOf(error);
    // An outage of a day is one line.
    if (words !== trouble) sayOnce(logger, words);
    trouble = words;
  }
}

function sayOnce(logger: Logger, why: string): void {
  logger.error({ why }, "the mailbox could not be read, and is tried again");
}

/** A server's own words may name whose mailbox it is. */
function wordsOf(error: unknown): string {
  if (error instanceof MailboxError) return error.message;
  if (!(error instanceof Error)) return "unknown";
  if ("authenticationFailed" in error && error.authenticationFailed === true) return "sign-in was refused";
  const code = "code" in error ? error.code : undefined;
  const response = "serverResponseCode" in error ? error.serverResponseCode : undefined;
  return [error.name, code, response].filter(Boolean).join(" ");
}
