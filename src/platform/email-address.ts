// The one reader of email addresses. An address is stored, compared, counted and mailed as what this returns, so no
// other code decides where a mail goes. It accepts less than RFC 5322: a mail library reads comments, groups, quotes and
// brackets in ways of its own, and what two readers read differently is two accounts with one mailbox.
import { domainToASCII, domainToUnicode } from "node:url";

export type EmailAddress = {
  /** The canonical form: lower case, with the domain as DNS has it. */
  email: string;
  /** Counts for limits: spellings that one mailbox receives share it. */
  mailbox: string;
};

const MAX_CHARACTERS = 254;
const MAX_LOCAL_CHARACTERS = 64;
const MAX_LABEL_CHARACTERS = 63;

// The dot-atom of RFC 5322. Other letters would need SMTPUTF8, which many mail servers lack.
const LOCAL_PART = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/;

/** The address, or undefined for anything that is not one in the plain form `name@domain`. */
export function parseEmailAddress(typed: string): EmailAddress | undefined {
  const at = typed.indexOf("@");
  const [local, domain] = [lowerCaseOf(typed.slice(0, at)), asciiDomainOf(typed.slice(at + 1))];
  if (at < 0 || !LOCAL_PART.test(local) || local.length > MAX_LOCAL_CHARACTERS || domain === undefined) {
    return undefined;
  }
  const email = `${local}@${domain}`;
  return email.length > MAX_CHARACTERS ? undefined : { email, mailbox: mailboxOf(local, domain) };
}

/** Of ASCII alone: the Kelvin sign and others would become letters of it. */
const lowerCaseOf = (typed: string) => typed.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

function asciiDomainOf(typed: string): string | undefined {
  const domain = typed.normalize("NFC").toLowerCase();
  // Full-width letters, ligatures and the like, which domainToASCII would turn into others.
  if (domain.normalize("NFKC") !== domain) return undefined;
  if (!/^[\p{L}\p{M}\p{Nd}.-]+$/u.test(domain)) return undefined;
  const ascii = domainToASCII(domain);
  const read = domainToUnicode(ascii);
  // It leaves out some invisible marks, and a mixture of scripts may be typed as DNS has it.
  if ((domain !== ascii && domain !== read) || !read.split(".").every(hasOneScript)) return undefined;
  const labels = ascii.split(".");
  const isName = labels.every((label) => LABEL.test(label) && label.length <= MAX_LABEL_CHARACTERS);
  // A number as the last label makes it an IP address.
  return isName && labels.length > 1 && !/^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? "") ? ascii : undefined;
}

// Japanese and Korean are written with several scripts; any other mixture only imitates another name.
const TOGETHER = [
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Han}\p{Script=Hangul}]*$/u,
  /^[\p{Script=Han}\p{Script=Bopomofo}]*$/u,
];
const SCRIPTS = [
  ...["Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Hebrew", "Arabic", "Devanagari", "Bengali"],
  ...["Gujarati", "Gurmukhi", "Kannada", "Malayalam", "Oriya", "Sinhala", "Tamil", "Telugu", "Thai", "Lao"],
  ...["Khmer", "Myanmar", "Ethiopic", "Tibetan", "Thaana", "Mongolian"],
].map((script) => new RegExp(`^\\p{Script=${script}}*$`, "u"));

function hasOneScript(label: string): boolean {
  const letters = label.replaceAll(/[\p{Script=Common}\p{Script=Inherited}]/gu, "");
  return [...TOGETHER, ...SCRIPTS].some((script) => script.test(letters));
}

const GMAIL = /^g(?:oogle)?mail\.com$/;

/**
 * What follows a plus is a tag at nearly every provider, and Gmail ignores dots. Elsewhere two mailboxes may share one count,
 * which costs their owners a wait at most. Accounts stay apart: only limits use this.
 */
function mailboxOf(local: string, domain: string): string {
  const name = local.split("+")[0] || local;
  return GMAIL.test(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}

/** For a limit, of a stored address; one that was stored by an older version counts as it is. */
export const mailboxIn = (email: string) => parseEmailAddress(email)?.mailbox ?? email;
