// From whom a mail says it is, read before anything is believed, so before anything else is read: anyone may send any bytes.
import { knownDomainIn } from "./portal-domains.ts";

/** Mails that were forwarded twice have 20 kB. */
const MAX_HEADER_BYTES = 64 * 1024;
/** The longest real ones, seals of forwarders, have twelve lines. What verifies signatures joins lines, at a cost of their square. */
const MAX_LINES_OF_A_HEADER = 200;

export type ClaimedDomain =
  | { readonly type: "known"; readonly domain: string }
  | { readonly type: "unknown"; readonly why: string };

export function claimedDomainOf(raw: Buffer): ClaimedDomain {
  const headers = headersOf(raw);
  if (headers === undefined) return { type: "unknown", why: "more headers than a portal's mail has" };
  const senders = headers.filter((header) => /^from[ \t]*:/i.test(header));
  const [sender] = senders;
  if (sender === undefined || senders.length > 1)
    return { type: "unknown", why: sender ? "two senders" : "no sender" };
  const domain = knownDomainIn(sender);
  return domain ? { type: "known", domain } : { type: "unknown", why: "from no portal that is known" };
}

/** Each header with its continuation lines; undefined where there is too much of them. */
function headersOf(raw: Buffer): string[] | undefined {
  const start = raw.subarray(0, MAX_HEADER_BYTES).toString("latin1");
  const end = /\r?\n\r?\n/.exec(start)?.index ?? start.length;
  if (end === start.length && raw.length > start.length) return undefined;
  const headers = start.slice(0, end).split(/\r?\n(?![ \t])/);
  return headers.every((header) => header.split("\n").length <= MAX_LINES_OF_A_HEADER) ? headers : undefined;
}
