import { createHash } from "node:crypto";

/** Which hosts browsers are told to call by https alone; "off" where the operator's proxy says it. */
export type HttpsOnly = "subdomains" | "host" | "off";

const HTTPS_ONLY = { subdomains: "max-age=31536000; includeSubDomains", host: "max-age=31536000" };

export function commonHeaders(siteUrl: string, httpsOnly: HttpsOnly): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "x-xss-protection": "0",
    ...(siteUrl.startsWith("https:") && httpsOnly !== "off"
      ? { "strict-transport-security": HTTPS_ONLY[httpsOnly] }
      : {}),
  };
}

/** Allows the page's own inline scripts by hash, and no others. */
export function contentSecurityPolicy(page: {
  html: string;
  siteUrl: string;
  supabaseUrl: string | undefined;
  mapTilesUrl?: string | undefined;
  /** The only site that may show it in a frame. */
  framedBy?: string | undefined;
}): string {
  const { html, siteUrl, supabaseUrl, mapTilesUrl, framedBy = "'none'" } = page;
  const backend = supabaseUrl
    ? [supabaseUrl, supabaseUrl.replace(/^http/, "ws")]
    : [siteUrl.replace(/^http/, "ws")];
  const directives = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...inlineScriptHashes(html)],
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "data:", "https://*.idealista.com"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...backend, ...(mapTilesUrl ? [new URL(mapTilesUrl).origin] : [])],
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": [framedBy],
    ...(siteUrl.startsWith("https:") ? { "upgrade-insecure-requests": [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(" "))
    .join("; ");
}

/** The policy of responses other than pages. */
export const LOADS_NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** For browsers that do not know `frame-ancestors`. There is no form of it that allows one other site. */
export function frameOptions(policy = LOADS_NOTHING): Record<string, string> {
  return policy.includes("frame-ancestors 'none'") ? { "x-frame-options": "DENY" } : {};
}

/** A service worker has the policy of its own file: it fetches files and pages of the site. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;

function inlineScriptHashes(html: string): string[] {
  const hashes = [...html.matchAll(INLINE_SCRIPT)]
    // Data blocks are not executed and need no permission.
    .filter(([, attributes = ""]) => !/type="application\/(ld\+)?json"/.test(attributes))
    .map(([, , text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return [...new Set(hashes)];
}
