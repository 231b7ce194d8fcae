// Verifies that a mail is from the portal it claims. Only the DKIM signature survives forwarding.
import type { DKIMResult } from "mailauth";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";

export type SignatureVerdict =
  | { readonly type: "signed"; readonly domain: string }
  | { readonly type: "not-signed"; readonly why: string }
  /** The key is temporarily unavailable. */
  | { readonly type: "unknown-yet"; readonly why: string };

/** Returns TXT records as `node:dns` does. */
export type ResolveText = (name: string) => Promise<string[][]>;

export interface VerifyOptions {
  readonly resolveText: ResolveText;
  readonly now: Date;
}

const MAX_SIGNATURES = 8;
const MIN_KEY_BITS = 1024;
/** Headers that may occur only once: a second one could be read instead of the signed one. */
const ONCE = ["from", "subject", "date", "content-type", "content-transfer-encoding", "mime-version"];
/** Headers that we read. If present, the signature must cover them. */
const COVERED = ["from", "subject", "date", "content-type"];
/**
 * Google's signatures (selector 20230601) never cover Content-Type. We read only its forwarding question, whose code is in
 * the signed subject and whose link must lead to Google.
 */
const UNCOVERED_BY: ReadonlyMap<string, string> = new Map([["google.com", "content-type"]]);

/** Accepts only a signature of `domain` or a subdomain over the whole mail. */
export async function verifySignature(
  raw: Buffer,
  domain: string,
  { resolveText, now }: VerifyOptions,
): Promise<SignatureVerdict> {
  const names = headerNamesOf(raw);
  const headerFault = headerFaultOf(names);
  if (headerFault) return { type: "not-signed", why: headerFault };
  const { results } = await dkimVerify(raw, {
    curTime: now,
    minBitLength: MIN_KEY_BITS,
    rejectRsaSha1: true,
    resolver: async (name, type) => {
      if (type.toUpperCase() !== "TXT" || !isBelow(name, domain)) throw notFound(name);
      return resolveText(name);
    },
  });
  const own = results.filter(({ signingDomain }) => isBelow(signingDomain ?? "", domain));
  const mustCover = COVERED.filter((name) => names.includes(name) && UNCOVERED_BY.get(domain) !== name);
  const faults = own.map((result) => faultOf(result, mustCover));
  if (faults.includes(undefined)) return { type: "signed", domain };
  const undecided = own.find(({ status }) => status.result === "temperror");
  if (undecided)
    return { type: "unknown-yet", why: String(undecided.status.comment ?? "its key is unavailable") };
  return { type: "not-signed", why: faults[0] ?? `no signature of ${domain}` };
}

/** Why a signature is not accepted; undefined if it is. */
function faultOf(
  { status, canonBodyLengthLimited, signingHeaders }: DKIMResult,
  mustCover: readonly string[],
): string | undefined {
  if (status.result !== "pass") return String(status.comment ?? status.result);
  if (canonBodyLengthLimited) return "its signature covers only a part of the body";
  const covered = (signingHeaders?.keys ?? "").toLowerCase().split(/:\s*/);
  const missing = mustCover.find((name) => !covered.includes(name));
  return missing === undefined ? undefined : `its signature does not cover ${missing}`;
}

function isBelow(name: string, domain: string): boolean {
  const written = name.toLowerCase().replace(/\.$/, "");
  return written === domain || written.endsWith(`.${domain}`);
}

const NO_HEADER = "";

/** The names of all headers in lower case, and NO_HEADER for each malformed line. */
function headerNamesOf(raw: Buffer): string[] {
  const text = raw.toString("latin1");
  const [head = ""] = text.split(/\n\r?\n/, 1);
  const lines = head.split("\n").map((line) => line.replace(/\r$/, ""));
  const isFold = (line: string, index: number) => index > 0 && /^[ \t][^\r]*$/.test(line);
  return lines
    .filter((line, index) => !isFold(line, index))
    .map((line) => /^([!-9;-~]+)[ \t]*:[^\r]*$/.exec(line)?.[1]?.toLowerCase() ?? NO_HEADER);
}

function headerFaultOf(names: readonly string[]): string | undefined {
  // Parsers read a malformed line differently, so one could see a header that the signature does not cover.
  if (names.includes(NO_HEADER)) return "a malformed header line";
  const twice = ONCE.find((name) => names.filter((written) => written === name).length > 1);
  if (twice) return `two headers called ${twice}`;
  const count = names.filter((name) => name === "dkim-signature").length;
  if (count === 0) return "no signature";
  return count > MAX_SIGNATURES ? "too many signatures" : undefined;
}

function notFound(name: string): Error {
  return Object.assign(new Error(`${name} is not asked for`), { code: "ENOTFOUND" });
}
