/** The parts of a search that the official API's data cannot decide. The page names them before the user relies on them. */

import { doubtfulPlaceOf } from "../places/doubtful-place.ts";
import { enclosingPlaceOf } from "../places/places.ts";
import { featureFilter, isOfficialKind } from "../search/official-request.ts";
import type { Feature, Search } from "../search/search.ts";
import { UNSTATED_PARTS } from "./match.ts";
import { TYPE_LABELS } from "./match-home.ts";

export type LimitCode =
  /** Listings never state it, and requests cannot filter by it. */
  | "not-in-data"
  /** Some listings have a label for it; nothing is known about the others. */
  | "seldom-in-data"
  | "building-height-unknown"
  | "unknown-word"
  | "hidden-addresses-approximate"
  | "impossible-range"
  /** The catalogue lacks the place; it is watched by its name. */
  | "place-not-listed"
  /** From here on: the official API cannot serve the search at all, but a source that takes URLs can. */
  | "kind-not-offered"
  | "place-unknown"
  | "zones-unknown"
  | "only-portal-knows-where"
  | "free-text";

export interface SearchLimit {
  readonly code: LimitCode;
  readonly part: keyof Search;
  /** The wish concerned, if the part has several. */
  readonly value?: string;
  /** The official API cannot serve the search at all. */
  readonly isBlocking: boolean;
}

const STATED: readonly Feature[] = ["lift", "exterior", "garage", "floor-plan", "non-smoking", "industrial"];

function limitsOf(search: Search): SearchLimit[] {
  const { floors } = search;
  const limits: SearchLimit[] = [...whereLimits(search)];
  if (!isOfficialKind(search.kind)) limits.push({ code: "kind-not-offered", part: "kind", isBlocking: true });
  limits.push(...impossibleRanges(search));
  for (const type of search.homeTypes) {
    if (TYPE_LABELS[type]) limits.push(soft("seldom-in-data", "homeTypes", type));
  }
  for (const feature of search.features) limits.push(...featureLimits(feature, search));
  const isHeightAsked = floors.includes("top") !== floors.includes("middle");
  if (isHeightAsked) limits.push(soft("building-height-unknown", "floors"));
  for (const part of UNSTATED_PARTS) {
    for (const value of search[part]) limits.push(soft("not-in-data", part, value));
  }
  for (const word of search.unknownTokens) limits.push(soft("unknown-word", "unknownTokens", word));
  return limits;
}

/** The limits to show. If the portal itself applies the filters, only those that can match nothing. */
export function shownLimitsOf(search: Search, canSearchByUrl: boolean): SearchLimit[] {
  const isByUrl = canSearchByUrl && reachOf(search) === "search-by-url";
  return isByUrl ? [...doubtfulWhere(search), ...impossibleRanges(search)] : limitsOf(search);
}

/** Whether the official API can serve the search, or only a source that takes its URL. */
export function reachOf(search: Search): "official-api" | "search-by-url" {
  return limitsOf(search).some((limit) => limit.isBlocking) ? "search-by-url" : "official-api";
}

function whereLimits(search: Search): SearchLimit[] {
  const { where } = search;
  switch (where.type) {
    case "place":
      return [];
    case "unlisted-place":
      return enclosingPlaceOf(where.path) ? doubtfulWhere(search) : [blocking("place-unknown")];
    case "drawn":
      return [soft("hidden-addresses-approximate", "where")];
    case "zones":
      return [blocking("zones-unknown")];
    case "point-of-interest":
      return [blocking("only-portal-knows-where")];
    case "text":
      return [blocking("free-text")];
  }
}

function doubtfulWhere({ where }: Search): SearchLimit[] {
  const isDoubtful = where.type === "unlisted-place" && doubtfulPlaceOf(where.path) !== undefined;
  return isDoubtful ? [soft("place-not-listed", "where")] : [];
}

function featureLimits(feature: Feature, search: Search): SearchLimit[] {
  if (feature === "luxury") return [soft("seldom-in-data", "features", feature)];
  if (featureFilter(feature, search) || STATED.includes(feature)) return [];
  return [soft("not-in-data", "features", feature)];
}

function impossibleRanges(search: Search): SearchLimit[] {
  const { minPriceEur, maxPriceEur, minAreaM2, maxAreaM2 } = search;
  const limits: SearchLimit[] = [];
  if (minPriceEur !== null && maxPriceEur !== null && minPriceEur > maxPriceEur) {
    limits.push(soft("impossible-range", "minPriceEur"));
  }
  if (minAreaM2 !== null && maxAreaM2 !== null && minAreaM2 > maxAreaM2) {
    limits.push(soft("impossible-range", "minAreaM2"));
  }
  return limits;
}

function soft(code: LimitCode, part: keyof Search, value?: string): SearchLimit {
  return value === undefined ? { code, part, isBlocking: false } : { code, part, value, isBlocking: false };
}

function blocking(code: LimitCode): SearchLimit {
  return { code, part: "where", isBlocking: true };
}
