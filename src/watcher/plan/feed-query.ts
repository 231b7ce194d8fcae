import type { RequestFilter } from "#core/search/official-request.ts";
import { requestOnlyFilters } from "#core/search/official-request.ts";
import type { Kind, Operation, Search } from "#core/search/search.ts";

/** One question the official API can be asked. */
export interface OfficialQuery {
  readonly operation: Operation;
  readonly kind: OfficialKind;
  readonly where: PlaceWhere | Circle;
  readonly filters: readonly RequestFilter[];
}

export type OfficialKind = Extract<Kind, "homes" | "rooms" | "offices" | "premises" | "garages">;

export interface PlaceWhere {
  readonly placeId: string;
}

export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly distanceM: number;
}

/** A feed as it is planned: a question, the source that is asked, and the one key both have. */
export type PlannedFeed =
  | { readonly key: string; readonly source: "official"; readonly query: OfficialQuery }
  | { readonly key: string; readonly source: "by-url"; readonly query: Search };

export function officialFeed(query: OfficialQuery): PlannedFeed {
  return { key: `official ${marketOf(query)} ${whereKeyOf(query.where)}`, source: "official", query };
}

export function byUrlFeed(search: Search, searchKey: string): PlannedFeed {
  return { key: `by-url ${searchKey}`, source: "by-url", query: search };
}

/** All of a question but the place. Only questions that agree in it can be merged. */
export function marketOf({ operation, kind, filters }: Omit<OfficialQuery, "where">): string {
  return [operation, kind, ...filters.map(({ parameter, value }) => `${parameter}=${value}`)].join(" ");
}

export function officialMarketOf(search: Search): Omit<OfficialQuery, "where"> | undefined {
  const { operation, kind } = search;
  if (!isOfficialKind(kind)) return undefined;
  const filters = requestOnlyFilters(search).toSorted((a, b) => (a.parameter < b.parameter ? -1 : 1));
  return { operation, kind, filters };
}

function isOfficialKind(kind: Kind): kind is OfficialKind {
  return ["homes", "rooms", "offices", "premises", "garages"].includes(kind);
}

function whereKeyOf(where: PlaceWhere | Circle): string {
  if ("placeId" in where) return where.placeId;
  return `${where.latitude},${where.longitude},${where.distanceM}`;
}
