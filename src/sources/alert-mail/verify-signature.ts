// Whether a mail was written by the portal it names: forwarding keeps a DKIM signature and breaks everything else.
import { dkimVerify } from "mailauth/lib/dkim/verify.js";

export type SignatureVerdict =
  | { readonly type: "signed"; readonly domain: string }
  | { readonly type: "not-signed"; readonly why: string }
  /** The key cannot be had just now. */
  | { readonly type: "unknown-yet"; readonly why: string };

/** The text records of a name, as `node:dns` gives them. */
export type ResolveText = (name: string) => Promise<string[][]>;

export interface VerifyOptions {
  readonly resolveText: ResolveText;
  readonly now: Date;
}

const MAX_SIGNATURES = 8;
const MIN_KEY_BITS = 1024;
/** What decides how the rest is read: a second one could be read in place of the signed one. */
const ONCE = ["from", "subject", "date", "content-type", "content-transfer-encoding", "mime-version"];

/** Only a signature of `domain`, or of a name below it, over the whole mail counts. */
export async function verifySignature(
  raw: Buffer,
  domain: string,
  { resolveText, now }: VerifyOptions,
): Promise<SignatureVerdict> {
  const complaint = complaintAboutHeaders(raw);
  if (complaint) return { type: "not-signed", why: complaint };
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
  const passed = own.find(
    ({ status, canonBodyLengthLimited }) => status.result === "pass" && !canonBodyLengthLimited,
  );
  if (passed) return { type: "signed", domain };
  const undecided = own.find(({ status }) => status.result === "temperror");
  if (undecided)
    return { type: "unknown-yet", why: String(undecided.status.comment ?? "its key cannot be had") };
  const [first] = own;
  if (!first) return { type: "not-signed", why: `no signature of ${domain}` };
  if (first.status.result === "pass") return { type: "not-signed", why: "a signature over a part of it" };
  return { type: "not-signed", why: String(first.status.comment ?? first.status.result) };
}

function isBelow(name: string, domain: string): boolean {
  const written = name.toLowerCase().replace(/\.$/, "");
  return written === domain || written.endsWith(`.${domain}`);
}

function complaintAboutHeaders(raw: Buffer): string | undefined {
  const end = raw.indexOf("\r\n\r\n");
  const bareEnd = raw.indexOf("\n\n");
  const ends = [end, bareEnd].filter((at) => at >= 0);
  const names = raw
    .subarray(0, ends.length > 0 ? Math.min(...ends) : raw.length)
    .toString("latin1")
    .split(/\r?\n/)
    .map((line) => /^([!-9;-~]+)[ \t]*:/.exec(line)?.[1]?.toLowerCase());
  const twice = ONCE.find((name) => names.filter((written) => written === name).length > 1);
  if (twice) return `two headers called ${twice}`;
  if (!names.includes("dkim-signature")) return "no signature";
  if (names.filter((name) => name === "dkim-signature").length > MAX_SIGNATURES) return "too many signatures";
  return undefined;
}

function notFound(name: string): Error {
  return Object.assign(new Error(`${name} is not asked for`), { code: "ENOTFOUND" });
}
