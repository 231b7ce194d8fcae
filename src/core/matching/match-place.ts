import { islandOfTown } from "../places/catalogue/island-towns.ts";
import { islandOfPath } from "../places/catalogue/islands.ts";
import { contains, enclosingPlaceOf, findPlace, provinceOf } from "../places/places.ts";
import { slugOf } from "../places/slug.ts";
import type { ListingFacts } from "./listing-facts.ts";
import type { Answer } from "./match-home.ts";

/** Decided by names, not coordinates: the portal moves the coordinates of hidden addresses, also across borders. */
export function placeAnswer(placeId: string, facts: ListingFacts): Answer {
  if (facts.placeId !== null) {
    if (contains(placeId, facts.placeId)) return "yes";
    if (!contains(facts.placeId, placeId)) return "no";
    if (facts.isInUnlistedTown && isInsideATown(placeId)) return "no";
  }
  return "cannot-tell";
}

function isInsideATown(placeId: string): boolean {
  const level = findPlace(placeId)?.level;
  return level === "municipality" || level === "district" || level === "barrio";
}

/**
 * A place that the catalogue lacks is compared by its names: town-province, or town/district/barrio. A path that looks
 * like town/district may also be province/comarca, and listings never name a comarca.
 */
export function unlistedPlaceAnswer(path: readonly string[], facts: ListingFacts): Answer {
  const provinceId = provinceIdOfPath(path);
  const isElsewhere = facts.placeId !== null && provinceId !== null && !contains(provinceId, facts.placeId);
  if (isElsewhere) return "no";
  if (facts.provinceSlug === null || facts.municipalitySlug === null) return "cannot-tell";
  const island = islandOfPath(path);
  if (island) return islandOfTown(island.provinceId, facts.municipalitySlug) === island ? "yes" : "no";
  const [first = "", ...inside] = path;
  return inside.length === 0 ? townAnswer(first, facts) : insideAnswer(first, inside, facts);
}

const provinceIds = new WeakMap<readonly string[], string | null>();

/** The province that certainly contains the place of a path. Cached for as long as the path lives. */
export function provinceIdOfPath(path: readonly string[]): string | null {
  const known = provinceIds.get(path);
  if (known !== undefined) return known;
  const enclosing = enclosingPlaceOf(path);
  const provinceId = (enclosing && provinceOf(enclosing.id)?.id) ?? null;
  provinceIds.set(path, provinceId);
  return provinceId;
}

function townAnswer(segment: string, facts: ListingFacts): Answer {
  const town = facts.municipalitySlug ?? "";
  const province = facts.placeId === null ? undefined : provinceOf(facts.placeId);
  const provinces = [facts.provinceSlug ?? "", slugOf(province?.name ?? "")];
  const suffix = provinces.map((slug) => `-${slug}`).find((end) => end !== "-" && segment.endsWith(end));
  const wanted = suffix ? segment.slice(0, -suffix.length) : segment;
  if (wanted === town) return "yes";
  // If one name contains the other, it is most likely the same town under a longer or second name.
  const mayBeSame = provinces.includes(wanted) || wanted.includes(town) || town.includes(wanted);
  return mayBeSame ? "cannot-tell" : "no";
}

function insideAnswer(first: string, [district, barrio]: readonly string[], facts: ListingFacts): Answer {
  const mayBeComarca = facts.provinceSlug === first;
  if (facts.municipalitySlug !== first) return mayBeComarca ? "cannot-tell" : "no";
  if (facts.districtSlug === district) {
    return barrio === undefined || facts.neighborhoodSlug === barrio ? "yes" : "cannot-tell";
  }
  return facts.districtSlug === null || mayBeComarca ? "cannot-tell" : "no";
}
