/**
 * Processes a stored mail: verifies its signature, ingests its contents and deletes its text, in one transaction.
 *
 *   stored ─► signed ───────────────────► listings, alerts, outcome ─► done
 *     │ ├─► not signed, not an alert ───► outcome ─────────────────► done
 *     │ ├─► key unavailable ────────────► waiting-for-key ─────────► retried for five days, then not-signed
 *     └─└─► failed ─────────────────────► retried for half a day ──► unreadable, text kept for three days
 */
import type { Sql, TransactionSql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { ingestMail } from "../ingest/ingest-mail.ts";
import type { ReadMail } from "../read/read-alert-mail.ts";
import { beginMail, finishMail, type KeptMail, lockMail, putOffMail } from "../rows/kept-mails.ts";
import { askForwardingQuestion } from "../rows/mail-addresses.ts";
import { type MailOutcome, recordMailOutcome } from "../rows/received-mails.ts";
import type { Examination } from "../verify/examine-mail.ts";
import type { MailWorker } from "../verify/mail-worker.ts";
import { portalOf } from "../verify/portal-domains.ts";
import { answerOfKey } from "../verify/resolve-key.ts";
import type { ResolveText } from "../verify/verify-signature.ts";

export interface ProcessMailOptions {
  readonly sql: Sql;
  readonly worker: MailWorker;
  readonly resolveText: ResolveText;
  readonly now: () => number;
  readonly logger: Logger;
  /** After it is aborted, failures are left to the queue's retry. */
  readonly signal: AbortSignal;
  /** For metrics. */
  readonly onMailRead?: ((newCount: number) => void) | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WAIT_FOR_KEY_MS = 5 * 24 * HOUR_MS;
/** With the pauses in between, more than half a day. */
const MAX_ATTEMPTS = 12;
/** Codes of failures that concern the database, not the mail. */
const DATABASE_FAILURE = /^(?:CONNECTION_|CONNECT_|ECONN|EPIPE|ETIMEDOUT|08|40|53|55|57)/;

export async function processMail(options: ProcessMailOptions, id: string): Promise<void> {
  const { sql, now, logger } = options;
  const mail = await beginMail(sql, id, new Date(now()));
  if (mail === undefined) return;
  // A mail that crashed the process this often is not tried again.
  if (mail.attempts > MAX_ATTEMPTS) return giveUp(options, mail);
  try {
    await decide(options, mail, await examine(options, mail.raw));
  } catch (error) {
    if (options.signal.aborted) throw error;
    const failure = describeFailure(error);
    const isDatabaseFailure = DATABASE_FAILURE.test(failure.code ?? "");
    logger.error({ ...failure, attempts: mail.attempts }, "could not process a mail");
    if (!isDatabaseFailure && mail.attempts === MAX_ATTEMPTS) return giveUp(options, mail);
    const attempts = isDatabaseFailure ? mail.attempts - 1 : mail.attempts;
    const pauseMs = Math.min(3 * HOUR_MS, 10_000 * 3 ** Math.max(0, attempts - 1));
    await putOffMail(sql, id, { until: new Date(now() + pauseMs), attempts });
  }
}

async function examine({ worker, resolveText, now }: ProcessMailOptions, raw: Buffer): Promise<Examination> {
  const at = new Date(now());
  const first = await worker.examine(raw, new Map(), at);
  if (first.type !== "needs-keys") return first;
  const answers = first.names.map(async (name) => [name, await answerOfKey(resolveText, name)] as const);
  return worker.examine(raw, new Map(await Promise.all(answers)), at);
}

async function decide(options: ProcessMailOptions, mail: KeptMail, examination: Examination): Promise<void> {
  const now = new Date(options.now());
  const conclude = (write: (db: TransactionSql) => Promise<MailOutcome>) =>
    concludeMail(options, mail, { write, now });
  switch (examination.type) {
    case "needs-keys":
      throw new Error("The mail worker asked for keys twice");
    case "not-an-alert":
      return conclude(async () => outcomeOf("not-an-alert", examination.why));
    case "not-signed":
      return conclude(async () => outcomeOf("not-signed", examination.why, portalOf(examination.domain)));
    case "unknown-yet": {
      const ageMs = now.getTime() - mail.receivedAt.getTime();
      const portal = portalOf(examination.domain);
      if (ageMs < WAIT_FOR_KEY_MS)
        return waitForKey(options, mail, { ...outcomeOf("waiting-for-key", examination.why, portal), now });
      return conclude(async () => outcomeOf("not-signed", `for five days: ${examination.why}`, portal));
    }
    case "signed":
      return conclude((db) => writeReading(db, mail, examination.read, now));
  }
}

async function writeReading(
  db: TransactionSql,
  mail: KeptMail,
  { reading, sentAt }: ReadMail,
  now: Date,
): Promise<MailOutcome> {
  switch (reading.type) {
    case "not-an-alert":
      return outcomeOf("not-an-alert", reading.why);
    case "unreadable":
      return outcomeOf("unreadable", reading.why, reading.portal);
    case "forwarding-question":
      await askForwardingQuestion(db, mail.userId, { code: reading.code, link: reading.link, now });
      return outcomeOf("forwarding-question", null);
    default: {
      const { id, userId, receivedAt } = mail;
      const counts = await ingestMail(db, { id, userId, receivedAt, sentAt }, reading, now);
      const unread = reading.unread.length;
      const why = unread > 0 ? `adverts that could not be read: ${unread} (${reading.unread[0]?.why})` : null;
      return { ...outcomeOf(reading.type, why, reading.portal), ...counts };
    }
  }
}

function outcomeOf(
  outcome: MailOutcome["outcome"],
  why: string | null,
  portal: string | null = null,
): MailOutcome {
  return { outcome, why, portal, listingCount: 0, newCount: 0 };
}

async function concludeMail(
  { sql, logger, onMailRead }: ProcessMailOptions,
  mail: KeptMail,
  how: { write: (db: TransactionSql) => Promise<MailOutcome>; now: Date; isUnfinished?: boolean },
): Promise<void> {
  const outcome = await inTransaction(sql, async (db) => {
    if (!(await lockMail(db, mail.id))) return undefined;
    const written = await how.write(db);
    await recordMailOutcome(db, mail, written);
    await finishMail(db, mail.id, how);
    return written;
  });
  if (!outcome) return;
  onMailRead?.(outcome.newCount);
  logOutcome(logger, outcome);
}

async function waitForKey(
  { sql, logger }: ProcessMailOptions,
  mail: KeptMail,
  { now, ...outcome }: MailOutcome & { now: Date },
): Promise<void> {
  // Half the mail's age: minutes at first, hours in the end.
  const ageMs = now.getTime() - mail.receivedAt.getTime();
  const pauseMs = Math.min(3 * HOUR_MS, Math.max(MINUTE_MS, ageMs / 2));
  await inTransaction(sql, async (db) => {
    if (!(await lockMail(db, mail.id))) return;
    await recordMailOutcome(db, mail, outcome);
    await putOffMail(db, mail.id, { until: new Date(now.getTime() + pauseMs), attempts: 0 });
  });
  logOutcome(logger, outcome);
}

function giveUp(options: ProcessMailOptions, mail: KeptMail): Promise<void> {
  const outcome = outcomeOf("unreadable", "processing failed repeatedly");
  return concludeMail(options, mail, {
    write: async () => outcome,
    now: new Date(options.now()),
    isUnfinished: true,
  });
}

/** Never logs the mail's text or an address. */
function logOutcome(logger: Logger, { outcome, portal, why, listingCount, newCount }: MailOutcome): void {
  const facts = { outcome, portal, listings: listingCount, new: newCount, ...(why !== null && { why }) };
  if (outcome === "unreadable") logger.error(facts, "could not read an alert mail");
  else if (outcome === "not-signed")
    logger.warn(facts, "a mail that claims to be from a portal is not signed by it");
  else if (why !== null && portal !== null) logger.warn(facts, "processed an alert mail in part");
  else logger.info(facts, "processed an alert mail");
}

/** Database errors quote the row, so only the name, the code and the place in the source are logged. */
function describeFailure(error: unknown): { name: string; code?: string; at?: string } {
  if (!(error instanceof Error)) return { name: typeof error };
  const at = error.stack?.split("\n").find((line) => /^(?!.*node_modules).*\/src\//.test(line));
  return {
    name: error.name,
    ...("code" in error && { code: String(error.code) }),
    ...(at && { at: at.trim() }),
  };
}
