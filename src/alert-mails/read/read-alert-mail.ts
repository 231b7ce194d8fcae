// Parses a portal's alert mail. Pure: signatures are verified elsewhere, and nothing in a mail is fetched. It never throws,
// whatever the mail contains.
import PostalMime, { type Email } from "postal-mime";
import type { MailReading, Portal } from "./mail-event.ts";
import { type Piece, piecesOfHtml, piecesOfText } from "./mail-pieces.ts";
import { isRecommendation, whyNoAlert } from "./mail-subject.ts";
import { readIdealista } from "./read-idealista.ts";
import { readOtherPortal } from "./read-other-portals.ts";

/** Real mails have 45 kB; their pictures are linked, not attached. */
export const MAX_MAIL_BYTES = 2 * 1024 * 1024;
const MAX_NESTING = 32;
const MAX_HEADERS_BYTES = 256 * 1024;
const MAX_SUBJECT_LENGTH = 1_000;
/** The part of a forwarded mail that is searched for the original sender. */
const MAX_QUOTE_LENGTH = 20_000;
const MAX_QUESTION_LENGTH = 100_000;

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
  /** The sender as written. Trust it only with a signature of its domain. */
  readonly from: string | null;
  /** Null if the mail has no valid date. */
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
  const subject = (mail.subject ?? "").replaceAll(/\s+/g, " ").trim().slice(0, MAX_SUBJECT_LENGTH);
  if (portal === undefined) return { type: "not-an-alert", why: whyNoPortal(mail, subject) };
  const whyNot = whyNoAlert(subject);
  if (whyNot !== null) return { type: "not-an-alert", why: whyNot };
  const pieces = mail.html ? piecesOfHtml(mail.html) : [];
  if (pieces === undefined) return { type: "unreadable", portal, why: "too large for an alert" };
  const reading = readPieces(portal, pieces, subject);
  if (reading.type === "alert" || reading.type === "digest" || !mail.text) return reading;
  // Some portals send a text part with an empty HTML part.
  const inText = readPieces(portal, piecesOfText(mail.text), subject);
  return inText.type === "not-an-alert" ? reading : inText;
}

/** A mail forwarded by hand is signed by the user's provider, not by the portal. */
function whyNoPortal(mail: Email, subject: string): string {
  const isForwarded =
    /^(?:fwd?|rv|reenv|enc|i|tr|wg)\s*:/i.test(subject) ||
    mail.attachments.some(({ mimeType }) => mimeType === "message/rfc822");
  const names = /@(?:[a-z]+\.)?(?:idealista|fotocasa|habitaclia|yaencontre)\.[a-z]{2,3}\b/i;
  const isOfPortal = [mail.text, mail.html].some((body) =>
    names.test(body?.slice(0, MAX_QUOTE_LENGTH) ?? ""),
  );
  return isForwarded || isOfPortal
    ? "forwarded by hand: only what a portal sent itself can be believed"
    : "not from a known portal";
}

function readPieces(portal: Portal, all: readonly Piece[], subject: string): MailReading {
  const end = all.findIndex((piece) => piece.type === "text" && isRecommendation(piece.text));
  const pieces = end < 0 ? all : all.slice(0, end);
  switch (portal) {
    case "idealista.com":
    case "idealista.it":
    case "idealista.pt":
      return readIdealista(portal, pieces, subject);
    default:
      return readOtherPortal(portal, pieces, subject);
  }
}

/** Gmail writes in the user's language. The code and the link are the same in all. */
function readForwardingQuestion(mail: Email): MailReading {
  const texts = (mail.html ? (piecesOfHtml(mail.html) ?? []) : []).map((piece) =>
    piece.type === "text" ? piece.text : piece.type === "link" ? piece.href : "",
  );
  const body = [mail.text ?? "", ...texts].join("\n").slice(0, MAX_QUESTION_LENGTH).replaceAll("&amp;", "&");
  const code =
    /\(#\s*(\d{6,12})\s*\)/.exec(mail.subject ?? "")?.[1] ??
    /[:：]\s*(\d{6,12})(?![\w@])/.exec(body)?.[1] ??
    // Ignore numbers in mail addresses and URLs.
    /(?<![\w.@/%=+-])(\d{8,10})(?![\w.@/%=+-])/.exec(body)?.[1];
  if (code === undefined) return { type: "not-an-alert", why: "a mail of Google's without a code" };
  const link =
    /https:\/\/mail(?:-settings)?\.google\.com\/mail\/(?:u\/\d{1,2}\/)?vf-[\w%.~[\]=+-]{10,400}/.exec(
      body,
    )?.[0] ?? null;
  return { type: "forwarding-question", code, link: link?.replace(/\.+$/, "") ?? null };
}
