import type { Search } from "#core/search/search.ts";
import { type NotASearch, parseListingUrl, parseSearchUrl } from "#core/search/url/parse-search-url.ts";

/** A text as received from Telegram. Its entities are not validated yet. */
export interface SentText {
  readonly text: string;
  readonly entities?: unknown;
}

/** The text of a received message. */
export interface ReceivedText extends SentText {
  /** Links of a forwarded message are read, its commands are ignored. */
  readonly isForwarded: boolean;
  /** The message it replies to. */
  readonly repliedTo: SentText | undefined;
  /** The id of the bot's message it replies to. */
  readonly repliedToId: number | undefined;
}

export type WatchableLink =
  | { readonly is: "search"; readonly search: Search; readonly url: string }
  | { readonly is: "listing"; readonly propertyCode: string; readonly url: string };

export type SearchLink = Extract<WatchableLink, { is: "search" }>;
export type ListingLink = Extract<WatchableLink, { is: "listing" }>;

export type LinkRefusal = Exclude<NotASearch, "empty">;

export interface LinksRead {
  /** Without duplicates, in the order of the text. */
  readonly links: readonly WatchableLink[];
  /** Why no link can be watched; undefined if there is no link or at least one can be. */
  readonly refusal: LinkRefusal | undefined;
}

const MOST_READ = 20;
/** Some apps insert invisible characters into shared links. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Reads the links in a text and in its entities. */
export function readLinks(sent: SentText): LinksRead {
  const links = new Map<string, WatchableLink>();
  const refusals: LinkRefusal[] = [];
  for (const candidate of candidatesIn(sent).slice(0, MOST_READ)) {
    const read = readLink(candidate);
    if (typeof read === "object") links.set(read.url, read);
    else if (read !== undefined) refusals.push(read);
  }
  const refusal = refusals.find((reason) => reason !== "other-site") ?? refusals[0];
  return { links: [...links.values()], refusal: links.size > 0 ? undefined : refusal };
}

function readLink(candidate: string): WatchableLink | LinkRefusal | undefined {
  const parsed = parseSearchUrl(candidate);
  if (parsed.ok) return { is: "search", search: parsed.search, url: parsed.canonicalUrl };
  const propertyCode = parsed.reason === "one-listing" ? parseListingUrl(candidate) : undefined;
  if (propertyCode !== undefined) {
    return { is: "listing", propertyCode, url: `https://www.idealista.com/inmueble/${propertyCode}/` };
  }
  return parsed.reason === "empty" || parsed.reason === "not-a-url" ? undefined : parsed.reason;
}

function candidatesIn({ text, entities }: SentText): string[] {
  const pieces = text.toWellFormed().replace(INVISIBLE, "").trim().split(/(\s+)/);
  const written = pieces.flatMap((piece, at) => (isLinkLike(piece) ? [withNextLine(pieces, at)] : []));
  return [...written, ...linksOf(text, entities)];
}

function isLinkLike(piece: string): boolean {
  return /idealista|:\/\//i.test(piece);
}

/** Appends the next line, because the parser recognises a link that was broken over two lines. */
function withNextLine(pieces: readonly string[], at: number): string {
  const [piece = "", blank = "", next = ""] = pieces.slice(at, at + 3);
  return /[\r\n]/.test(blank) && !isLinkLike(next) ? `${piece}\n${next}` : piece;
}

/** Links that Telegram detected: text links, and URLs without a scheme, such as those of another portal. */
function linksOf(text: string, entities: unknown): string[] {
  if (!Array.isArray(entities)) return [];
  return entities.slice(0, 100).flatMap((entity: unknown) => {
    if (typeof entity !== "object" || entity === null) return [];
    const { type, url, offset, length } = entity as Record<string, unknown>;
    if (type === "text_link" && typeof url === "string") return [url];
    if (type !== "url" || !Number.isInteger(offset) || !Number.isInteger(length)) return [];
    const written = text.slice(Number(offset), Number(offset) + Number(length)).replace(INVISIBLE, "");
    return isLinkLike(written) ? [] : [`https://${written}`];
  });
}
