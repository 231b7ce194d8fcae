import type { Portal } from "../read/mail-event.ts";

/** The domain that signs a portal's mails. */
export const PORTAL_DOMAINS: Readonly<Record<Portal, string>> = {
  "idealista.com": "idealista.com",
  "idealista.it": "idealista.it",
  "idealista.pt": "idealista.pt",
  fotocasa: "fotocasa.es",
  habitaclia: "habitaclia.com",
  yaencontre: "yaencontre.com",
};

/** Gmail's own domain, for its question whether mail may be forwarded. */
export const FORWARDING_DOMAIN = "google.com";

const DOMAINS = [...Object.values(PORTAL_DOMAINS), FORWARDING_DOMAIN];

/** The known domain in a From header. */
export function knownDomainIn(sender: string): string | undefined {
  const written = sender.toLowerCase();
  return DOMAINS.find((domain) =>
    new RegExp(`@(?:[a-z0-9-]+\\.)*${domain.replaceAll(".", "\\.")}(?![\\w.-])`).test(written),
  );
}

export function portalOf(domain: string): Portal | null {
  const found = Object.entries(PORTAL_DOMAINS).find(([, own]) => own === domain);
  return (found?.[0] as Portal | undefined) ?? null;
}

/** Mails forwarded twice have 20 kB of headers. */
const MAX_HEADER_BYTES = 64 * 1024;
/** The longest real headers (ARC seals) have twelve lines. mailauth joins lines in quadratic time. */
const MAX_LINES_OF_A_HEADER = 200;

export type ClaimedDomain =
  | { readonly type: "known"; readonly domain: string }
  | { readonly type: "unknown"; readonly why: string };

export function claimedDomainOf(raw: Buffer): ClaimedDomain {
  const headers = headersOf(raw);
  if (headers === undefined) return { type: "unknown", why: "too many headers" };
  const senders = headers.filter((header) => /^from[ \t]*:/i.test(header));
  const [sender] = senders;
  if (sender === undefined || senders.length > 1)
    return { type: "unknown", why: sender ? "two senders" : "no sender" };
  const domain = knownDomainIn(sender);
  return domain ? { type: "known", domain } : { type: "unknown", why: "not from a known portal" };
}

/** Each header with its continuation lines; undefined if there are too many. */
function headersOf(raw: Buffer): string[] | undefined {
  const start = raw.subarray(0, MAX_HEADER_BYTES).toString("latin1");
  const end = /\r?\n\r?\n/.exec(start)?.index ?? start.length;
  if (end === start.length && raw.length > start.length) return undefined;
  const headers = start.slice(0, end).split(/\r?\n(?![ \t])/);
  return headers.every((header) => header.split("\n").length <= MAX_LINES_OF_A_HEADER) ? headers : undefined;
}
