import type { PageWindow } from "#core/ports/source.ts";
import type { OfficialKind, OfficialQuery } from "#core/search/official-request.ts";

const PROPERTY_TYPES: Readonly<Record<OfficialKind, string>> = {
  homes: "homes",
  rooms: "bedrooms",
  offices: "offices",
  premises: "premises",
  garages: "garages",
};

/** The form of one page, newest first: without that order a page says nothing about what came since. */
export function searchFormOf(query: OfficialQuery, window: PageWindow, locale: string): URLSearchParams {
  const form = new URLSearchParams({
    country: "es",
    operation: query.operation,
    propertyType: PROPERTY_TYPES[query.kind],
    locale,
    order: "publicationDate",
    sort: "desc",
    maxItems: String(window.size),
    numPage: String(window.number),
  });
  if ("placeId" in query.where) {
    form.set("locationId", query.where.placeId);
  } else {
    form.set("center", `${query.where.latitude},${query.where.longitude}`);
    form.set("distance", String(Math.ceil(query.where.distanceM)));
  }
  for (const { parameter, value } of query.filters) {
    form.set(parameter, value);
  }
  return form;
}

/** As the API counts them in totalAppliedFilters: the two ends of a price or size band are one filter. */
export function filterCountOf(query: OfficialQuery): number {
  return new Set(query.filters.map(({ parameter }) => parameter.replace(/^(min|max)(?=[A-Z])/, ""))).size;
}
