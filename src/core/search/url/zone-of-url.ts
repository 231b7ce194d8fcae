import { TIME_ZONES, type TimeZone, timeZoneOf } from "#core/geo/time-zone.ts";
import { parseSearchUrl } from "./parse-search-url.ts";

/** The zone of a search's quiet hours until the person chooses one: that of its place. */
export function zoneOfUrl(filterUrl: string): TimeZone {
  const parsed = parseSearchUrl(filterUrl);
  return (parsed.ok ? timeZoneOf(parsed.search) : undefined) ?? TIME_ZONES[0];
}
