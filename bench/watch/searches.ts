import { normaliseSearch } from "#core/search/normalise-search.ts";
import type { Search } from "#core/search/search.ts";
import { seeded } from "#test/seeded.ts";
import { drawSearch } from "../match/market.ts";

const CITY = "0-EU-ES-28-07-001-079";

/**
 * Links as people paste them in Madrid: the city, districts, barrios and drawings, for rent and for sale. Without wishes
 * that only a request can filter by (a terrace, a pool, furniture), unless told: each set of those has feeds of its own.
 */
export function madridSearches(count: number, { hasRequestOnly = false } = {}): string[] {
  const random = seeded(11);
  const urls: string[] = [];
  while (urls.length < count) {
    const search = drawSearch(random);
    if (search.kind !== "homes" || !isInMadrid(search)) continue;
    urls.push(normaliseSearch(hasRequestOnly ? search : withoutRequestOnly(search)).searchKey);
  }
  return urls;
}

function isInMadrid({ where }: Search): boolean {
  return where.type === "drawn" || (where.type === "place" && where.placeId.startsWith(CITY));
}

function withoutRequestOnly(search: Search): Search {
  const features = search.features.filter((feature) => ["lift", "exterior", "garage"].includes(feature));
  return { ...search, features, furnishing: null };
}
