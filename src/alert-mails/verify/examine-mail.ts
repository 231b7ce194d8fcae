// Verifies a mail's signature and reads the mail. Only signed mails are read, because a hostile mail can be expensive to
// read. It does no I/O: it returns the names of the keys it needs, and is called again with them.
import { type ReadMail, readAlertMail } from "../read/read-alert-mail.ts";
import { claimedDomainOf, FORWARDING_DOMAIN, PORTAL_DOMAINS } from "./portal-domains.ts";
import { verifySignature } from "./verify-signature.ts";

/** A key's DNS records, or the error code of the lookup. */
export type KeyAnswer = { readonly records: string[][] } | { readonly code: string };
export type KeyAnswers = ReadonlyMap<string, KeyAnswer>;

export type Examination =
  | { readonly type: "needs-keys"; readonly names: readonly string[] }
  | { readonly type: "signed"; readonly read: ReadMail }
  | { readonly type: "not-signed" | "unknown-yet"; readonly domain: string; readonly why: string }
  | { readonly type: "not-an-alert"; readonly why: string };

export async function examineMail(raw: Buffer, keys: KeyAnswers, now: Date): Promise<Examination> {
  const claimed = claimedDomainOf(raw);
  if (claimed.type === "unknown") return { type: "not-an-alert", why: claimed.why };
  const { domain } = claimed;
  const missing = new Set<string>();
  const resolveText = async (name: string) => {
    const answer = keys.get(name);
    if (answer && "records" in answer) return answer.records;
    if (!answer) missing.add(name);
    throw Object.assign(new Error("no key"), { code: answer?.code ?? "ENOTFOUND" });
  };
  const verdict = await verifySignature(raw, domain, { resolveText, now });
  if (missing.size > 0) return { type: "needs-keys", names: [...missing] };
  if (verdict.type !== "signed") return { type: verdict.type, domain, why: verdict.why };
  const read = await readAlertMail(raw);
  const expected = domainOf(read.reading);
  if (expected !== undefined && expected !== domain) {
    return { type: "not-signed", domain, why: "its sender is ambiguous" };
  }
  return { type: "signed", read };
}

function domainOf(reading: ReadMail["reading"]): string | undefined {
  if (reading.type === "forwarding-question") return FORWARDING_DOMAIN;
  return reading.type === "not-an-alert" ? undefined : PORTAL_DOMAINS[reading.portal];
}
