/**
 * Finds the link in what a user pasted: a bare link, a link inside shared text, an app link. It works on the text as
 * written, because URL parsers would reinterpret it.
 */

import { redirectTargetOf } from "./redirect-target.ts";

export const LONGEST_LINK = 2048;

export interface PastedLink {
  readonly host: string;
  /** Everything after the host, without the fragment. */
  readonly path: string;
  readonly query: string;
  readonly repairs: readonly LinkRepair[];
}

export type LinkRepair =
  | "share-text"
  | "redirect"
  | "app-link"
  | "added-scheme"
  | "https"
  | "host-spelling"
  | "fragment";

export type UnreadableLink = "empty" | "too-long" | "not-a-url" | "unsafe-url" | "split-link";

export type FoundLinks =
  | { readonly ok: true; readonly links: readonly (PastedLink | UnreadableLink)[] }
  | { readonly ok: false; readonly reason: UnreadableLink };

const MOST_LINKS = 5;
const MOST_OPENERS = 4;
const INVISIBLE = "[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]";
const INVISIBLE_ENDS = new RegExp(`^${INVISIBLE}{1,16}|${INVISIBLE}{1,16}$`, "g");
const CLOSERS = `.,;:!?"'>»”’…*~\`|}`;
const OPENERS = `<("'«“*_~\`[{|`;
/** `[text](link)`, of which the text may have spaces, and `[[link|text]]`. */
const MARKDOWN = /\]\((?=<?https?:\/\/|<?www\.|<?idealista\.)/i;
/** `<a href="link">text</a>`. */
const HYPERTEXT = /^href=["']?(https?:\/\/[^"'<>]+)/i;
/** `<link|text>`, as Slack copies it. A link may have "|" only in the query. */
const PIPED = /^<(https?:\/\/[^|>]+)\|/i;
const SCHEME = /^([a-z][a-z0-9+.-]{0,30}):/i;
const SITE = /^(?:(?:www|m)[.。．｡])?idealista[.。．｡][a-z]{2,3}(?=[/?#:@\\]|$)/i;
const APP_LINK =
  /^(?:android-app:\/\/com\.idealista\.android\/https?\/|intent:\/\/|idealista:\/\/)(?=(?:www\.|m\.)?idealista\.)/i;
/** What the second half of a link looks like that a mail program broke over two lines. */
const TAIL = /^[a-z0-9_.%-]{0,200}(?:[/_=&?]|,[a-z])[^\s:@]*$/;
const SURE_TAIL = /^(?:con-|pagina-|mapa|[?&])/;
const WHOLE = /(?:\/|\.htm|-asc|-desc)$/;

export function findLinks(pasted: string): FoundLinks {
  if (pasted.length > LONGEST_LINK * 4) return { ok: false, reason: "too-long" };
  const text = pasted.trim().replace(INVISIBLE_ENDS, "").trim();
  if (text === "") return { ok: false, reason: "empty" };
  if (text.length > LONGEST_LINK) return { ok: false, reason: "too-long" };
  const pieces = text.split(/(\s+)/);
  const links: (PastedLink | UnreadableLink)[] = [];
  for (let i = 0; i < pieces.length && links.length < MOST_LINKS; i += 2) {
    const link = linkIn(pieces[i] ?? "", pieces.length > 1);
    if (!link) continue;
    links.push(isSplit(pieces, i) ? "split-link" : link);
  }
  return links.length > 0 ? { ok: true, links } : { ok: false, reason: "not-a-url" };
}

function isSplit(pieces: readonly string[], at: number): boolean {
  const next = pieces[at + 2] ?? "";
  if (!/[\r\n]/.test(pieces[at + 1] ?? "") || !TAIL.test(next)) return false;
  return SURE_TAIL.test(next) || !WHOLE.test(pieces[at] ?? "");
}

function linkIn(piece: string, isInText: boolean): PastedLink | UnreadableLink | undefined {
  const written = withoutClosers(withoutOpeners(linkPartOf(piece))).replace(INVISIBLE_ENDS, "");
  const repairs: LinkRepair[] = isInText || written !== piece ? ["share-text"] : [];
  const bare = redirectTargetOf(written);
  if (bare === null) return "not-a-url";
  if (bare !== written) repairs.push("redirect");
  const app = APP_LINK.exec(bare);
  if (app) {
    const rest = bare.slice(app[0].length).replace(/#Intent;.*$/, "");
    return readLink(rest, [...repairs, "app-link"]);
  }
  const scheme = SCHEME.exec(bare)?.[1]?.toLowerCase();
  if (bare.slice(0, 2) === "//" && SITE.test(bare.slice(2))) {
    return readLink(bare.slice(2), [...repairs, "added-scheme"]);
  }
  if (SITE.test(bare)) return readLink(bare, [...repairs, "added-scheme"]);
  if (scheme !== "http" && scheme !== "https") return undefined;
  if (bare.slice(scheme.length, scheme.length + 3) !== "://") return "unsafe-url";
  return readLink(bare.slice(scheme.length + 3), scheme === "http" ? [...repairs, "https"] : repairs);
}

function readLink(rest: string, repairs: LinkRepair[]): PastedLink | UnreadableLink {
  const end = rest.search(/[/?#\\]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const tail = end === -1 ? "" : rest.slice(end);
  const host = authority.replace(/[。．｡]/g, ".").toLowerCase();
  if (host === "") return "not-a-url";
  if (isUnsafe(rest, authority)) return "unsafe-url";
  if (host !== authority) repairs.push("host-spelling");
  const [beforeFragment = "", fragment] = splitOnce(tail, "#");
  if (fragment !== undefined) repairs.push("fragment");
  const [path = "", query = ""] = splitOnce(beforeFragment, "?");
  return { host, path, query, repairs };
}

/**
 * User names, ports, escapes in the host, a trailing dot, backslashes and control characters have no legitimate use here.
 * Only the query may contain a backslash: encoded drawings use it.
 */
function isUnsafe(rest: string, authority: string): boolean {
  const [beforeQuery] = splitOnce(rest, "?");
  return (
    /[@:%[\]]/.test(authority) ||
    authority.endsWith(".") ||
    beforeQuery.includes("\\") ||
    /[\p{Cc}\p{Cs}]/u.test(rest)
  );
}

function linkPartOf(piece: string): string {
  const inMarkdown = piece.split(MARKDOWN)[1];
  return inMarkdown ?? HYPERTEXT.exec(piece)?.[1] ?? PIPED.exec(piece)?.[1] ?? piece;
}

function withoutOpeners(piece: string): string {
  const at = piece.search(/https?:\/\//i);
  const isOnlyPunctuation = at > 0 && at < 16 && !/[a-z0-9/@.]/i.test(piece.slice(0, at));
  if (isOnlyPunctuation) return piece.slice(at);
  let start = 0;
  while (start < MOST_OPENERS && OPENERS.includes(piece[start] ?? " ")) start += 1;
  return piece.slice(start);
}

/** Removes closing parentheses that were never opened. A drawn area ends with parentheses of its own. */
function withoutClosers(piece: string): string {
  let surplus = 0;
  for (const char of piece) {
    if (char === "(") surplus--;
    if (char === ")") surplus++;
  }
  let end = piece.length;
  while (end > 0) {
    const last = piece[end - 1] ?? "";
    if (last === ")" && surplus > 0) surplus--;
    else if (!CLOSERS.includes(last) && last !== "]" && !(last === "_" && !piece.includes("?"))) break;
    end--;
  }
  return piece.slice(0, end);
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
