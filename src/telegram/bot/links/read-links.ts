import type { Search } from "#core/search/search.ts";
import { type NotASearch, parseListingUrl, parseSearchUrl } from "#core/search/url/parse-search-url.ts";

/** A text as Telegram hands it over; its shapes are taken at their word nowhere. */
export interface SentText {
  readonly text: string;
  readonly entities?: unknown;
}

/** What somebody said, as far as it was written. */
export interface Said extends SentText {
  /** Somebody else's words: their links can be read, their commands are not followed. */
  readonly isForwarded: boolean;
  /** What it is a reply to. */
  readonly repliedTo: SentText | undefined;
  /** The bot's own message that it is a reply to. */
  readonly repliedToId: number | undefined;
}

export type WatchableLink =
  | { readonly is: "search"; readonly search: Search; readonly url: string }
  | { readonly is: "listing"; readonly propertyCode: string; readonly url: string };

export type LinkRefusal = Exclude<NotASearch, "empty">;

export interface LinksRead {
  /** Each once, in their order. */
  readonly links: readonly WatchableLink[];
  /** Why the text's links are of no use; undefined where it has none, or one is. */
  readonly refusal: LinkRefusal | undefined;
}

const MOST_READ = 20;
/** Apps put them into what is shared; no link needs one. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The links of a message, written out or behind its words. */
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
  const written = pieces.flatMap((piece, at) => (isLinkLike(piece) ? [withItsTail(pieces, at)] : []));
  return [...written, ...linksOf(text, entities)];
}

function isLinkLike(piece: string): boolean {
  return /idealista|:\/\//i.test(piece);
}

/** With the line below it, by which a link that was broken over two lines is known. */
function withItsTail(pieces: readonly string[], at: number): string {
  const [piece = "", blank = "", next = ""] = pieces.slice(at, at + 3);
  return /[\r\n]/.test(blank) && !isLinkLike(next) ? `${piece}\n${next}` : piece;
}

/** What Telegram itself found: links behind words, and those without a scheme, such as another portal's. */
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
