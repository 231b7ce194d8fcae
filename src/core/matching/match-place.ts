import { contains, enclosingPlaceOf, findPlace, provinceOf } from "../places/places.ts";
import { slugOf } from "../places/slug.ts";
import type { ListingFacts } from "./listing-facts.ts";
import { type Opinion, undecided } from "./verdict.ts";

const PLACE_UNKNOWN = undecided("where");

/** Names decide, not the point: the portal moves the points of hidden addresses across borders. */
export function placeOpinion(placeId: string, facts: ListingFacts): Opinion {
  if (facts.placeId !== null) {
    if (contains(placeId, facts.placeId)) return "yes";
    if (!contains(facts.placeId, placeId)) return "no";
    if (facts.isInUnlistedTown && isInsideATown(placeId)) return "no";
  }
  return undecided("where", { parameter: "locationId", value: placeId });
}

function isInsideATown(placeId: string): boolean {
  const level = findPlace(placeId)?.level;
  return level === "municipality" || level === "district" || level === "barrio";
}

/**
 * A place our catalogue lacks can still be told by its names: town-province, or town/district/barrio. What
 * looks like town/district may also be province/comarca, which answers never name.
 */
export function unlistedPlaceOpinion(path: readonly string[], facts: ListingFacts): Opinion {
  const provinceId = provinceIdOfPath(path);
  const isElsewhere = facts.placeId !== null && provinceId !== null && !contains(provinceId, facts.placeId);
  if (isElsewhere) return "no";
  if (facts.provinceSlug === null || facts.municipalitySlug === null) return PLACE_UNKNOWN;
  const [first = "", ...inside] = path;
  return inside.length === 0 ? townOpinion(first, facts) : insideOpinion(first, inside, facts);
}

const provinceIds = new WeakMap<readonly string[], string | null>();

/** The province sure to hold the place a path names, remembered for as long as the path is. */
export function provinceIdOfPath(path: readonly string[]): string | null {
  const known = provinceIds.get(path);
  if (known !== undefined) return known;
  const enclosing = enclosingPlaceOf(path);
  const provinceId = (enclosing && provinceOf(enclosing.id)?.id) ?? null;
  provinceIds.set(path, provinceId);
  return provinceId;
}

function townOpinion(segment: string, facts: ListingFacts): Opinion {
  const town = facts.municipalitySlug ?? "";
  const province = facts.placeId === null ? undefined : provinceOf(facts.placeId);
  const provinces = [facts.provinceSlug ?? "", slugOf(province?.name ?? "")];
  const suffix = provinces.map((slug) => `-${slug}`).find((end) => end !== "-" && segment.endsWith(end));
  const wanted = suffix ? segment.slice(0, -suffix.length) : segment;
  if (wanted === town) return "yes";
  // One name within the other is most likely the same town under a longer or second name.
  const mayBeSame = provinces.includes(wanted) || wanted.includes(town) || town.includes(wanted);
  return mayBeSame ? PLACE_UNKNOWN : "no";
}

function insideOpinion(first: string, [district, barrio]: readonly string[], facts: ListingFacts): Opinion {
  const mayBeComarca = facts.provinceSlug === first;
  if (facts.municipalitySlug !== first) return mayBeComarca ? PLACE_UNKNOWN : "no";
  if (facts.districtSlug === district) {
    return barrio === undefined || facts.neighborhoodSlug === barrio ? "yes" : PLACE_UNKNOWN;
  }
  return facts.districtSlug === null || mayBeComarca ? PLACE_UNKNOWN : "no";
}
