// A portal's mail to whoever saved a search, read into what it says. Pure: who may be believed is decided elsewhere (by the
// signature), and nothing that a mail names is ever fetched. Any mail gives an answer; none makes it throw.
import PostalMime, { type Email } from "postal-mime";
import type { MailReading, Portal } from "./mail-event.ts";
import { type Piece, piecesOfHtml, piecesOfText } from "./mail-pieces.ts";
import { readIdealista } from "./read-idealista.ts";
import { readOtherPortal } from "./read-other-portals.ts";

/** Real ones have 45 kB; pictures are linked, not sent along. */
export const MAX_MAIL_BYTES = 2 * 1024 * 1024;
const MAX_NESTING = 32;
const MAX_HEADERS_BYTES = 256 * 1024;

const SENDERS: readonly (readonly [RegExp, Portal])[] = [
  [/^noresponder@(?:[a-z]+\.)?idealista\.com$/, "idealista.com"],
  [/^nonrispondere@(?:[a-z]+\.)?idealista\.it$/, "idealista.it"],
  [/^n[aã]oresponder@(?:[a-z]+\.)?idealista\.pt$/, "idealista.pt"],
  [/^[a-z-]+@(?:[a-z]+\.)?fotocasa\.es$/, "fotocasa"],
  [/^[a-z-]+@(?:[a-z]+\.)?habitaclia\.com$/, "habitaclia"],
  [/^[a-z-]+@(?:[a-z]+\.)?yaencontre\.com$/, "yaencontre"],
];
const GMAIL_SENDER = "forwarding-noreply@google.com";

export interface ReadMail {
  readonly reading: MailReading;
  /** The sender as written: to be believed only with a signature of its domain. */
  readonly from: string | null;
  /** Null where the mail states none that can be read. */
  readonly sentAt: Date | null;
}

export async function readAlertMail(raw: Uint8Array): Promise<ReadMail> {
  if (raw.byteLength > MAX_MAIL_BYTES) return unknown("larger than a portal's mail");
  let mail: Email;
  try {
    mail = await PostalMime.parse(raw, { maxNestingDepth: MAX_NESTING, maxHeadersSize: MAX_HEADERS_BYTES });
  } catch (error) {
    return unknown(`not a mail: ${error instanceof Error ? error.message : String(error)}`);
  }
  const from = mail.from?.address?.trim().toLowerCase() ?? null;
  const sentAt = new Date(mail.date ?? Number.NaN);
  return {
    reading: readingOf(mail, from ?? ""),
    from,
    sentAt: Number.isNaN(sentAt.getTime()) ? null : sentAt,
  };
}

const unknown = (why: string): ReadMail => ({
  reading: { type: "not-an-alert", why },
  from: null,
  sentAt: null,
});

function readingOf(mail: Email, from: string): MailReading {
  if (from === GMAIL_SENDER) return readForwardingQuestion(mail);
  const portal = SENDERS.find(([sender]) => sender.test(from))?.[1];
  if (portal === undefined) return { type: "not-an-alert", why: "from no portal that is known" };
  const subject = (mail.subject ?? "").replaceAll(/\s+/g, " ").trim();
  const pieces = mail.html ? piecesOfHtml(mail.html) : [];
  if (pieces === undefined) return { type: "unreadable", portal, why: "more in it than any alert has" };
  const reading = readPieces(portal, pieces, subject);
  // Some portals send a text beside an empty page.
  if (reading.type !== "not-an-alert" || !mail.text) return reading;
  return readPieces(portal, piecesOfText(mail.text), subject);
}

function readPieces(portal: Portal, pieces: readonly Piece[], subject: string): MailReading {
  switch (portal) {
    case "idealista.com":
    case "idealista.it":
    case "idealista.pt":
      return readIdealista(portal, pieces, subject);
    default:
      return readOtherPortal(portal, pieces, subject);
  }
}

/** Gmail sends it in its user's language; the number and the link are the same in all. */
function readForwardingQuestion(mail: Email): MailReading {
  const body = `${mail.text ?? ""}\n${mail.html ?? ""}`.replaceAll("&amp;", "&");
  const code =
    /\(#(\d{6,12})\)/.exec(mail.subject ?? "")?.[1] ?? /(?<!\d)(\d{8,10})(?!\d)/.exec(mail.text ?? "")?.[1];
  if (code === undefined) return { type: "not-an-alert", why: "a mail of Google's without a code" };
  const link = /https:\/\/mail(?:-settings)?\.google\.com\/mail\/vf-[\w%.~-]{10,400}/.exec(body)?.[0] ?? null;
  return { type: "forwarding-question", code, link };
}
