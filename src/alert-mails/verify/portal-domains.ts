import type { Portal } from "../read/mail-event.ts";

/** Whose signature a portal's mails carry. */
export const PORTAL_DOMAINS: Readonly<Record<Portal, string>> = {
  "idealista.com": "idealista.com",
  "idealista.it": "idealista.it",
  "idealista.pt": "idealista.pt",
  fotocasa: "fotocasa.es",
  habitaclia: "habitaclia.com",
  yaencontre: "yaencontre.com",
};

/** Gmail asks for itself whether mail may be forwarded. */
export const FORWARDING_DOMAIN = "google.com";

const DOMAINS = [...Object.values(PORTAL_DOMAINS), FORWARDING_DOMAIN];

/** The domain among those we know that a sender as written names. */
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
