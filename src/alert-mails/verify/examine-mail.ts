// Whether a mail may be believed, and what it says. Only what is signed is read: reading a stranger's mail can be made
// expensive. Without waiting for anything: it names the keys it needs and is asked again with them.
import { type ReadMail, readAlertMail } from "../read/read-alert-mail.ts";
import { claimedDomainOf } from "./claimed-domain.ts";
import { FORWARDING_DOMAIN, PORTAL_DOMAINS } from "./portal-domains.ts";
import { verifySignature } from "./verify-signature.ts";

/** A key's records, or the error code of who asked for them. */
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
  const spoken = spokenForBy(read.reading);
  if (spoken !== undefined && spoken !== domain) {
    return { type: "not-signed", domain, why: "its sender can be read in two ways" };
  }
  return { type: "signed", read };
}

function spokenForBy(reading: ReadMail["reading"]): string | undefined {
  if (reading.type === "forwarding-question") return FORWARDING_DOMAIN;
  return reading.type === "not-an-alert" ? undefined : PORTAL_DOMAINS[reading.portal];
}
