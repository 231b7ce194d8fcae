/**
 * Deals with a mail that was kept: believes it or not, writes down what it says, and lets go of its text, in one transaction.
 *
 *   kept ─► signed ─────────────────────► finds, alerts, outcome ─► done
 *     │ ├─► not signed, not an alert ───► outcome ──────────────► done
 *     │ ├─► key cannot be had ──────────► waiting-for-key ──────► again, for five days, then not-signed
 *     └─└─► failed ─────────────────────► again, for a day ─────► unreadable, the text kept for three days
 */
import type { Sql, TransactionSql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { beginMail, finishMail, type KeptMail, lockMail, putOffMail } from "#store/mails/kept-mails.ts";
import { askForwardingQuestion } from "#store/mails/mail-addresses.ts";
import { type MailOutcome, recordMailOutcome } from "#store/mails/received-mails.ts";
import { ingestMail } from "../ingest/ingest-mail.ts";
import type { ReadMail } from "../read/read-alert-mail.ts";
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
  /** Told to stop: what fails then is begun again by whoever comes next. */
  readonly signal: AbortSignal;
  /** For whoever counts what mails bring. */
  readonly onMailRead?: ((newCount: number) => void) | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WAIT_FOR_KEY_MS = 5 * 24 * HOUR_MS;
/** With their pauses, more than half a day. */
const MAX_ATTEMPTS = 12;
/** The database's own trouble, which is no mail's fault. */
const DATABASE_TROUBLE = /^(?:CONNECTION_|CONNECT_|ECONN|EPIPE|ETIMEDOUT|08|40|53|55|57)/;

export async function processMail(options: ProcessMailOptions, id: string): Promise<void> {
  const { sql, now, logger } = options;
  const mail = await beginMail(sql, id, new Date(now()));
  if (mail === undefined) return;
  // What ends the process each time is never begun again.
  if (mail.attempts > MAX_ATTEMPTS) return giveUp(options, mail);
  try {
    await decide(options, mail, await examine(options, mail.raw));
  } catch (error) {
    if (options.signal.aborted) throw error;
    const failure = describeFailure(error);
    const isOurs = DATABASE_TROUBLE.test(failure.code ?? "");
    logger.error({ ...failure, attempts: mail.attempts }, "a mail could not be dealt with");
    if (!isOurs && mail.attempts === MAX_ATTEMPTS) return giveUp(options, mail);
    const attempts = isOurs ? mail.attempts - 1 : mail.attempts;
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
      throw new Error("A mail asks for keys without end");
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
  sayOutcome(logger, outcome);
}

async function waitForKey(
  { sql, logger }: ProcessMailOptions,
  mail: KeptMail,
  { now, ...outcome }: MailOutcome & { now: Date },
): Promise<void> {
  // Half as long again as it is old: minutes at first, hours in the end.
  const ageMs = now.getTime() - mail.receivedAt.getTime();
  const pauseMs = Math.min(3 * HOUR_MS, Math.max(MINUTE_MS, ageMs / 2));
  await inTransaction(sql, async (db) => {
    if (!(await lockMail(db, mail.id))) return;
    await recordMailOutcome(db, mail, outcome);
    await putOffMail(db, mail.id, { until: new Date(now.getTime() + pauseMs), attempts: 0 });
  });
  sayOutcome(logger, outcome);
}

function giveUp(options: ProcessMailOptions, mail: KeptMail): Promise<void> {
  const outcome = outcomeOf("unreadable", "reading it failed again and again");
  return concludeMail(options, mail, {
    write: async () => outcome,
    now: new Date(options.now()),
    isUnfinished: true,
  });
}

/** What the operator should know; nothing of the mail's text, and nobody's address. */
function sayOutcome(logger: Logger, { outcome, portal, why, listingCount, newCount }: MailOutcome): void {
  const facts = { outcome, portal, listings: listingCount, new: newCount, ...(why !== null && { why }) };
  if (outcome === "unreadable") logger.error(facts, "an alert mail could not be read");
  else if (outcome === "not-signed") logger.warn(facts, "a mail in a portal's name is not signed by it");
  else if (why !== null && portal !== null) logger.warn(facts, "an alert mail was not used in full");
  else logger.info(facts, "an alert mail was dealt with");
}

/** A database's error quotes the row it failed on: only what it is and where. */
function describeFailure(error: unknown): { name: string; code?: string; at?: string } {
  if (!(error instanceof Error)) return { name: typeof error };
  const at = error.stack?.split("\n").find((line) => /^(?!.*node_modules).*\/src\//.test(line));
  return {
    name: error.name,
    ...("code" in error && { code: String(error.code) }),
    ...(at && { at: at.trim() }),
  };
}
