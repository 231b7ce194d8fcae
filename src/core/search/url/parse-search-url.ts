/**
 * Parses what a user pasted into a search, or returns the reason why it is not one. It never throws. The canonical link is
 * built from the search, so nothing else of the pasted text survives.
 */

import { normaliseSearch } from "../normalise-search.ts";
import { type Search, searchFor } from "../search.ts";
import { type FilterRepair, readFilters } from "./filter-words.ts";
import {
  findLinks,
  type LinkRepair,
  LONGEST_LINK,
  type PastedLink,
  type UnreadableLink,
} from "./pasted-link.ts";
import { CATEGORIES, NEWEST_FIRST, PORTAL_HOST, PORTAL_LANGUAGES } from "./portal-words.ts";
import { type NotASearchPage, readSearchPath } from "./search-path.ts";

export type NotASearch = UnreadableLink | NotASearchPage | "other-site" | "other-country" | "home-page";

export type RepairCode =
  | LinkRepair
  | FilterRepair
  | "added-www"
  | "letter-case"
  | "page-number"
  | "map-view"
  | "sort-order"
  | "tracking"
  /** A parameter without meaning to us was dropped; `detail` names it. */
  | "dropped-parameter";

export interface Repair {
  readonly code: RepairCode;
  readonly detail?: string;
}

export type ParsedSearchUrl =
  | {
      readonly ok: true;
      readonly search: Search;
      /** The language prefix of the portal's link, if any. */
      readonly portalLanguage: string | null;
      readonly canonicalUrl: string;
      readonly searchKey: string;
      readonly repairs: readonly Repair[];
    }
  | { readonly ok: false; readonly reason: NotASearch };

/** The mobile site has the same pages under the same paths. */
const OUR_HOSTS = [PORTAL_HOST, PORTAL_HOST.replace("www.", ""), PORTAL_HOST.replace("www.", "m.")];
const SISTER_HOSTS = /^(?:www\.|m\.)?idealista\.(?:it|pt)$/;
const TRACKING =
  /^(?:utm_|xt|at_|mc_|pk_|hs)|^(?:gclid|fbclid|msclkid|dclid|yclid|igshid|ref|source|from|share)$/;
const categories = new Map(CATEGORIES.map(([word, operation, kind]) => [word, { operation, kind }]));

/** The first search in the text. */
export function parseSearchUrl(pasted: string): ParsedSearchUrl {
  const found = findLinks(pasted);
  if (!found.ok) return found;
  const answers = answersOf(found.links);
  const search = answers.find((answer) => answer.ok);
  const ours = answers.find((answer) => !answer.ok && answer.reason !== "other-site");
  return search ?? ours ?? answers[0] ?? { ok: false, reason: "not-a-url" };
}

/** The searches in the text after the first one, each once. */
export function furtherSearchUrls(pasted: string): string[] {
  const found = findLinks(pasted);
  if (!found.ok) return [];
  const urls = answersOf(found.links).flatMap((answer) => (answer.ok ? [answer.canonicalUrl] : []));
  return [...new Set(urls)].slice(1);
}

function answersOf(links: readonly (PastedLink | UnreadableLink)[]): ParsedSearchUrl[] {
  return links.map((link) =>
    typeof link === "string" ? ({ ok: false, reason: link } as const) : parseLink(link),
  );
}

/** Languages that the portal adds have no prefix in the link that is kept. */
const OTHER_LANGUAGE = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/;

function withoutLanguage(segments: readonly string[]): { portalLanguage: string | null; rest: string[] } {
  const [first = "", ...rest] = segments;
  const language = first.toLowerCase();
  if (PORTAL_LANGUAGES.includes(language)) return { portalLanguage: language, rest };
  const isLanguage = OTHER_LANGUAGE.test(language) && !categories.has(language);
  if (!isLanguage) return { portalLanguage: null, rest: [...segments] };
  const base = language.slice(0, 2);
  return { portalLanguage: PORTAL_LANGUAGES.includes(base) ? base : null, rest };
}

function parseLink(link: PastedLink): ParsedSearchUrl {
  if (SISTER_HOSTS.test(link.host)) return { ok: false, reason: "other-country" };
  if (!OUR_HOSTS.includes(link.host)) return { ok: false, reason: "other-site" };
  const segments = segmentsOf(link.path);
  if (!segments) return { ok: false, reason: "broken-path" };
  const { portalLanguage, rest } = withoutLanguage(segments);
  if (rest.length === 0) return { ok: false, reason: "home-page" };
  const query = readQuery(link.query);
  if (!query) return { ok: false, reason: "broken-path" };
  const page = readSearchPath(rest, query.shapes, (word) => categories.has(word));
  if (!page.ok) return page;
  const category = categories.get(page.category);
  if (!category) return { ok: false, reason: "not-a-search" };
  const filters = readFilters(page.filterWords, category.kind);
  const search: Search = {
    ...searchFor(category.operation, category.kind, page.where),
    ...filters.wishes,
    unknownTokens: filters.unknownTokens,
  };
  const normalised = normaliseSearch(search, portalLanguage);
  if (normalised.canonicalUrl.length > LONGEST_LINK) return { ok: false, reason: "too-long" };
  const codes = [...link.repairs, ...hostRepairs(link.host), ...page.repairs, ...filters.repairs];
  const shapeIsIdle = query.shapes.length > 0 && page.where.type !== "drawn";
  return {
    ok: true,
    search,
    portalLanguage,
    ...normalised,
    repairs: [
      ...codes.map((code) => ({ code })),
      ...query.repairs,
      ...(shapeIsIdle ? [{ code: "dropped-parameter", detail: "shape" } as const] : []),
    ],
  };
}

/** The code of the first listing that the text links to; undefined if none. */
export function parseListingUrl(pasted: string): string | undefined {
  const found = findLinks(pasted);
  return found.ok ? found.links.map(listingIn).find((code) => code !== undefined) : undefined;
}

function listingIn(link: PastedLink | UnreadableLink): string | undefined {
  if (typeof link === "string" || !OUR_HOSTS.includes(link.host)) return undefined;
  const [head = "", code = ""] = withoutLanguage(segmentsOf(link.path) ?? []).rest;
  return head.toLowerCase() === "inmueble" && /^[1-9]\d{0,14}$/.test(code) ? code : undefined;
}

function hostRepairs(host: string): RepairCode[] {
  if (host.startsWith("m.")) return ["host-spelling"];
  return host.startsWith("www.") ? [] : ["added-www"];
}

/** The unescaped segments of the path; undefined if an escape is broken or hides a slash, a dot segment or a control character. */
function segmentsOf(path: string): string[] | undefined {
  const segments: string[] = [];
  for (const written of path.split("/")) {
    const segment = unescapeText(written)?.trim();
    if (segment === "") continue;
    if (segment === undefined || segment === "." || segment === ".." || /[/\\\p{Cc}]/u.test(segment))
      return undefined;
    segments.push(segment);
  }
  return segments;
}

function readQuery(query: string): { shapes: string[]; repairs: Repair[] } | undefined {
  const shapes: string[] = [];
  const repairs: Repair[] = [];
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const [name, value] = pairOf(pair);
    if (name === undefined || value === undefined) return undefined;
    if (name === "shape") shapes.push(value);
    else repairs.push(...repairOf(name, value));
  }
  return { shapes, repairs: repairs.filter(isFirstOfItsKind) };
}

function pairOf(pair: string): (string | undefined)[] {
  const at = pair.indexOf("=");
  return at === -1
    ? [unescapeText(pair), ""]
    : [unescapeText(pair.slice(0, at)), unescapeText(pair.slice(at + 1))];
}

function repairOf(name: string, value: string): Repair[] {
  if (name === NEWEST_FIRST.parameter) return value === NEWEST_FIRST.value ? [] : [{ code: "sort-order" }];
  if (TRACKING.test(name)) return [{ code: "tracking" }];
  return [{ code: "dropped-parameter", detail: name.slice(0, 40) }];
}

function isFirstOfItsKind(repair: Repair, index: number, all: readonly Repair[]): boolean {
  return index === all.findIndex((other) => other.code === repair.code && other.detail === repair.detail);
}

function unescapeText(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
