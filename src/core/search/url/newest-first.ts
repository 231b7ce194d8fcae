import { NEWEST_FIRST, NEWEST_FIRST_QUERY } from "./portal-words.ts";

const PORTAL = /^(?:www\.)?idealista\.com$/i;
const PORTAL_IN_TEXT = /(?:^|[/.@\s])idealista\.com(?=[/?#\s]|$)/i;
const ONE_LISTING = /\/(?:inmueble|obra-nueva)\/\d+/i;

/**
 * The portal's link with its newest results first. A link that is no full URL has any order it
 * carries taken out and this one put at its end; a link to one listing, or to anywhere else, stays as it is.
 */
export function newestFirst(link: string): string {
  const url = parseUrl(link);
  const isOurs = url ? PORTAL.test(url.hostname) : PORTAL_IN_TEXT.test(link);
  if (!isOurs || ONE_LISTING.test(url?.pathname ?? link)) return link;
  return withOrder(url?.href ?? link);
}

function parseUrl(link: string): URL | undefined {
  try {
    return new URL(link);
  } catch {
    return undefined;
  }
}

function withOrder(link: string): string {
  const hashAt = link.indexOf("#");
  const fragment = hashAt === -1 ? "" : link.slice(hashAt);
  const [path = "", ...queries] = (hashAt === -1 ? link : link.slice(0, hashAt)).split("?");
  const kept = queries
    .join("?")
    .split("&")
    .filter((pair) => pair !== "" && pair.split("=")[0] !== NEWEST_FIRST.parameter);
  const query = [...kept, NEWEST_FIRST_QUERY].join("&");
  return `${path}?${query}${fragment}`;
}
