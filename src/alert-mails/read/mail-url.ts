import { redirectTargetOf } from "#core/search/url/redirect-target.ts";

/** The target of a link, without the redirect that a mail provider wraps around it. Never fetches anything. */
export function urlOf(href: string): URL | null {
  const target = redirectTargetOf(href.trim());
  return target === null ? null : webUrlOf(target);
}

function webUrlOf(href: string): URL | null {
  const url = URL.parse(href);
  return url && (url.protocol === "https:" || url.protocol === "http:") ? url : null;
}

/** A picture's URL without tracking parameters; null if it is not the portal's. */
export function photoUrlOf(src: string, host: RegExp, path: RegExp): string | null {
  const url = URL.parse(src);
  if (url?.protocol !== "https:" || !host.test(url.hostname) || !path.test(url.pathname)) return null;
  // Fotocasa's pictures need the size rule.
  const rule = /^[\w-]{1,60}$/.exec(url.searchParams.get("rule") ?? "")?.[0];
  return `https://${url.hostname}${url.pathname}${rule ? `?rule=${rule}` : ""}`;
}
