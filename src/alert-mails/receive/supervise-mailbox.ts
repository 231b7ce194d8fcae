import { takeSessionLock } from "#platform/database/session-lock.ts";
import { sleep } from "#platform/timing.ts";
import { MailboxError, type MailboxOptions, readMailbox } from "./read-mailbox.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** One process among all machines reads the mailbox. It retries after every error. */
export async function superviseMailbox(
  options: MailboxOptions & { readonly databaseUrl: string },
  stopping: AbortSignal,
): Promise<void> {
  const { databaseUrl, logger } = options;
  while (!stopping.aborted) {
    const lock = await takeSessionLock({ databaseUrl, name: "mailbox", signal: stopping });
    if (lock === undefined) return;
    await readWithRetries(options, AbortSignal.any([stopping, lock.lost]));
    await lock.release();
    logger.info({}, "this process no longer reads the mailbox");
  }
}

async function readWithRetries(options: MailboxOptions, signal: AbortSignal): Promise<void> {
  const { logger } = options;
  let pauseMs = FIRST_PAUSE_MS;
  let lastError: string | undefined;
  const onRead = () => {
    pauseMs = FIRST_PAUSE_MS;
    if (lastError !== undefined) logger.info({}, "reading the mailbox again");
    lastError = undefined;
  };
  while (!signal.aborted) {
    await readMailbox(options, { signal, onRead }).catch(logOnce);
    await sleep(pauseMs, signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }

  /** Logs an outage once, not at every retry. */
  function logOnce(error: unknown): void {
    if (signal.aborted) return;
    const why = describeError(error);
    if (why !== lastError) logger.error({ why }, "could not read the mailbox, will retry");
    lastError = why;
  }
}

/** Leaves out the server's own text, which may contain the user's address. */
function describeError(error: unknown): string {
  if (error instanceof MailboxError) return error.message;
  if (!(error instanceof Error)) return "unknown";
  if ("authenticationFailed" in error && error.authenticationFailed === true) return "sign-in was refused";
  const code = "code" in error ? error.code : undefined;
  const response = "serverResponseCode" in error ? error.serverResponseCode : undefined;
  return [error.name, code, response].filter(Boolean).join(" ");
}
