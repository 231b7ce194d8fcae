// Reads the mailbox of one user by IMAP. The position is saved in the transaction that stores a mail, so that no mail is lost
// or duplicated after an interruption. The folder is opened read-only and mails are fetched without marking them. Only
// mails from the portals are fetched.
import { createHash } from "node:crypto";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { Jobs } from "#platform/database/jobs.ts";
import { createWakeUp } from "#platform/timing.ts";
import { MAX_MAIL_BYTES } from "../read/read-alert-mail.ts";
import {
  findPersonByEmail,
  type MailboxPosition,
  readMailboxPosition,
  writeMailboxPosition,
} from "../rows/mailboxes.ts";
import { knownDomainIn, portalOf } from "../verify/portal-domains.ts";
import { keepMails } from "./keep-mails.ts";
import { createMailboxClient } from "./mailbox-client.ts";

export interface MailboxOptions {
  readonly sql: Sql;
  readonly jobs: Jobs;
  readonly url: string;
  readonly folder: string;
  /** The e-mail address of the account that gets the alerts. */
  readonly person: string;
  readonly now: () => number;
  readonly logger: Logger;
}

/** A failure that the operator can fix. Its message contains no names. */
export class MailboxError extends Error {
  override name = "MailboxError";
}

const DAY_MS = 86_400_000;
/** How often to look without a notification, also to notice a dead connection. */
const LOOK_EVERY_MS = 10 * 60_000;
const BATCH_SIZE = 50;

/** Reads existing and new mails until the signal is aborted. Throws when the connection breaks. */
export async function readMailbox(
  options: MailboxOptions,
  { signal, onRead }: { signal: AbortSignal; onRead: () => void },
): Promise<void> {
  const userId = await findPersonByEmail(options.sql, options.person);
  if (userId === undefined) throw new MailboxError("IMAP_PERSON has no account");
  const client = createMailboxClient(options.url);
  const wakeUp = createWakeUp();
  const end = () => {
    client.close();
    wakeUp.call();
  };
  client.on("exists", wakeUp.call);
  client.on("close", wakeUp.call);
  signal.addEventListener("abort", end);
  try {
    await client.connect();
    await client.mailboxOpen(options.folder, { readOnly: true });
    while (!signal.aborted && client.usable) {
      await catchUp(client, options, userId);
      onRead();
      await wakeUp.sleep(LOOK_EVERY_MS);
    }
    if (!signal.aborted) throw new MailboxError("The IMAP server closed the connection");
  } finally {
    signal.removeEventListener("abort", end);
    client.close();
  }
}

async function catchUp(client: ImapFlow, options: MailboxOptions, userId: string): Promise<void> {
  const start = await findStart(client, options, userId);
  let { position } = start;
  for (let at = 0; at < start.uids.length; at += BATCH_SIZE) {
    const uids = start.uids.slice(at, at + BATCH_SIZE);
    for (const message of await headersOf(client, uids)) {
      position = { ...position, lastUid: message.uid, seenAt: later(position.seenAt, dateOf(message)) };
      if (!isWanted(message, start.since)) continue;
      const { source } = (await client.fetchOne(String(message.uid), { source: true }, { uid: true })) || {};
      if (source) await keep(options, { userId, position, raw: source });
    }
    position = { ...position, lastUid: uids.at(-1) ?? position.lastUid };
    await keep(options, { userId, position });
  }
  if (start.isNew) await keep(options, { userId, position: { ...position, lastUid: start.newestUid } });
}

/** Continues after the last mail. If the server renumbered the mailbox, starts at the time of the last mail; if it is new, a day ago. */
async function findStart(client: ImapFlow, options: MailboxOptions, userId: string) {
  const box = client.mailbox;
  if (!box) throw new MailboxError("The folder is not open");
  const mailbox = mailboxKey(options);
  const known = await readMailboxPosition(options.sql, userId);
  const uidValidity = String(box.uidValidity);
  if (known?.mailbox === mailbox && known.uidValidity === uidValidity) {
    const found = (await client.search({ uid: `${known.lastUid + 1}:*` }, { uid: true })) || [];
    // For a range beyond the end, IMAP returns the last mail.
    const uids = found.filter((uid) => uid > known.lastUid).toSorted((a, b) => a - b);
    return { uids, position: known, since: undefined, isNew: false, newestUid: known.lastUid };
  }
  const since = known?.mailbox === mailbox ? known.seenAt : new Date(options.now() - DAY_MS);
  // IMAP compares dates without times, in the server's time zone.
  const found = (await client.search({ since: new Date(since.getTime() - DAY_MS) }, { uid: true })) || [];
  const uids = found.toSorted((a, b) => a - b);
  const position: MailboxPosition = { mailbox, uidValidity, lastUid: 0, seenAt: since };
  return { uids, position, since, isNew: true, newestUid: Math.max(box.uidNext - 1, uids.at(-1) ?? 0) };
}

async function headersOf(client: ImapFlow, uids: readonly number[]): Promise<FetchMessageObject[]> {
  const wanted = { uid: true, size: true, internalDate: true, envelope: true };
  const messages: FetchMessageObject[] = [];
  for await (const message of client.fetch(uids.join(","), wanted, { uid: true })) messages.push(message);
  return messages.toSorted((a, b) => a.uid - b.uid);
}

function isWanted(message: FetchMessageObject, since: Date | undefined): boolean {
  const date = dateOf(message);
  if (since && date && date < since) return false;
  if ((message.size ?? 0) > MAX_MAIL_BYTES) return false;
  return (message.envelope?.from ?? []).some(({ address = "" }) => {
    const domain = knownDomainIn(address);
    return domain !== undefined && portalOf(domain) !== null;
  });
}

function keep(
  options: MailboxOptions,
  { userId, position, raw }: { userId: string; position: MailboxPosition; raw?: Buffer },
): Promise<void> {
  const mails = raw ? [{ userId, raw, receivedAt: new Date(options.now()) }] : [];
  return keepMails(options, mails, (db) => writeMailboxPosition(db, userId, position));
}

function dateOf({ internalDate }: FetchMessageObject): Date | undefined {
  const date = new Date(internalDate ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const later = (one: Date, other: Date | undefined) => (other && other > one ? other : one);

function mailboxKey({ url, folder }: MailboxOptions): string {
  const { host, username } = new URL(url);
  return createHash("sha256").update(`${username}\n${host}\n${folder}`).digest("hex");
}
