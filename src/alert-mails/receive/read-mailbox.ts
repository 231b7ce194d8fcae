// A mailbox of one's own, read by IMAP. How far it was read is written with each mail that is kept, so that nothing is lost or
// doubled by a break. Mails of anyone but the portals never leave the mailbox.
import { createHash } from "node:crypto";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { Jobs } from "#platform/database/jobs.ts";
import { createWakeUp } from "#platform/timing.ts";
import {
  findPersonByEmail,
  type MailboxPosition,
  readMailboxPosition,
  writeMailboxPosition,
} from "#store/mails/mailboxes.ts";
import { MAX_MAIL_BYTES } from "../read/read-alert-mail.ts";
import { knownDomainIn, portalOf } from "../verify/portal-domains.ts";
import { keepMails } from "./keep-mails.ts";
import { createMailboxClient } from "./mailbox-client.ts";

export interface MailboxOptions {
  readonly sql: Sql;
  readonly jobs: Jobs;
  readonly url: string;
  readonly folder: string;
  /** The e-mail address of the account whom it serves. */
  readonly person: string;
  readonly now: () => number;
  readonly logger: Logger;
}

/** What the operator can do something about, in words without names. */
export class MailboxError extends Error {
  override name = "MailboxError";
}

const DAY_MS = 86_400_000;
/** Also without a word from the server, and so that an IDLE that died is noticed. */
const LOOK_EVERY_MS = 10 * 60_000;
const AT_ONCE = 50;

/** Reads what is there and what comes, until the signal; throws when the connection breaks. */
export async function readMailbox(
  options: MailboxOptions,
  { signal, onRead }: { signal: AbortSignal; onRead: () => void },
): Promise<void> {
  const userId = await findPersonByEmail(options.sql, options.person);
  if (userId === undefined) throw new MailboxError("IMAP_PERSON is nobody who has an account");
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
    if (!signal.aborted) throw new MailboxError("The mailbox has closed the connection");
  } finally {
    signal.removeEventListener("abort", end);
    client.close();
  }
}

async function catchUp(client: ImapFlow, options: MailboxOptions, userId: string): Promise<void> {
  const start = await findStart(client, options, userId);
  let { position } = start;
  for (let at = 0; at < start.uids.length; at += AT_ONCE) {
    const uids = start.uids.slice(at, at + AT_ONCE);
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

/** Where it stopped; at a mailbox that is new, or numbered anew, with what came since the last mail, or the last day. */
async function findStart(client: ImapFlow, options: MailboxOptions, userId: string) {
  const box = client.mailbox;
  if (!box) throw new MailboxError("The folder is not open");
  const mailbox = mailboxKey(options);
  const known = await readMailboxPosition(options.sql, userId);
  const uidValidity = String(box.uidValidity);
  if (known?.mailbox === mailbox && known.uidValidity === uidValidity) {
    const found = (await client.search({ uid: `${known.lastUid + 1}:*` }, { uid: true })) || [];
    // Beyond the end, IMAP gives the last mail again.
    const uids = found.filter((uid) => uid > known.lastUid).toSorted((a, b) => a - b);
    return { uids, position: known, since: undefined, isNew: false, newestUid: known.lastUid };
  }
  const since = known?.mailbox === mailbox ? known.seenAt : new Date(options.now() - DAY_MS);
  // It compares days, in the server's own time zone.
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
