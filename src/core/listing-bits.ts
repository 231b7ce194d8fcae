/**
 * Wishes and listings as words of bits, so that one operation weighs a whole group of wishes. A filter sets
 * the bits of what it wants; a listing those it surely meets and those it may meet. Each group of
 * alternatives has one more bit for "no wish", which every listing meets.
 */
import type { ListingFacts } from "./listing-facts.ts";
import { admitsOpinion, featureOpinion, floorOpinion, homeTypeOpinion } from "./match-home.ts";
import {
  BATHROOMS,
  BEDROOMS,
  CONDITIONS,
  FEATURES,
  FLOOR_BANDS,
  HOME_TYPES,
  type Search,
  searchFor,
  TENANTS,
} from "./search.ts";
import type { Opinion } from "./verdict.ts";

interface Group {
  readonly at: number;
  readonly mask: number;
}

/** In the word of alternatives. A set of floors is one bit of eight: two bands can be surer than each. */
const HOME_TYPE_GROUP = groupAt(0, HOME_TYPES.length + 1);
const BATHROOM_GROUP = groupAt(13, BATHROOMS.length + 2);
const CONDITION_GROUP = groupAt(18, CONDITIONS.length + 1);
const FLOOR_GROUP = groupAt(22, 1 << FLOOR_BANDS.length);
/** In the word of features, above them. */
const ADMITS_GROUP = groupAt(FEATURES.length, TENANTS.length + 1);

export const ALTERNATIVE_MASKS = [HOME_TYPE_GROUP, BATHROOM_GROUP, CONDITION_GROUP, FLOOR_GROUP].map(
  ({ mask }) => mask,
);
export const ADMITS_MASK = ADMITS_GROUP.mask;
export const FEATURES_MASK = (1 << FEATURES.length) - 1;
const BEDROOMS_FREE = 1 << BEDROOMS.length;

export interface WishBits {
  readonly bedrooms: number;
  readonly alternatives: number;
  readonly features: number;
}

export interface ListingBits {
  readonly sure: WishBits;
  readonly possible: WishBits;
}

export function wishBitsOf(search: Search): WishBits {
  const bathrooms = countBits(search.bathrooms);
  const bedrooms = countBits(search.bedrooms);
  return {
    bedrooms: bedrooms === 0 ? BEDROOMS_FREE : bedrooms,
    alternatives:
      wish(HOME_TYPE_GROUP, bitsOf(search.homeTypes, HOME_TYPES), HOME_TYPES.length) |
      wish(BATHROOM_GROUP, bathrooms, BATHROOMS.length + 1) |
      wish(CONDITION_GROUP, bitsOf(search.conditions, CONDITIONS), CONDITIONS.length) |
      ((1 << bitsOf(search.floors, FLOOR_BANDS)) << FLOOR_GROUP.at),
    features:
      bitsOf(search.features, FEATURES) | wish(ADMITS_GROUP, bitsOf(search.admits, TENANTS), TENANTS.length),
  };
}

export function listingBitsOf(facts: ListingFacts): ListingBits {
  const { listing } = facts;
  const market = searchFor(listing.operation, listing.kind, { type: "zones", codes: [] });
  const homeTypes = opinions(HOME_TYPES, (type) => homeTypeOpinion(type, facts));
  const bathrooms = listing.bathrooms === null ? null : 1 << Math.min(listing.bathrooms, 3);
  const condition = listing.condition === null ? null : bitsOf([listing.condition], CONDITIONS);
  const floors = opinions([0, 1, 2, 3, 4, 5, 6, 7], (set) =>
    set === 0 ? "yes" : floorOpinion(bandsOf(set), facts),
  );
  const features = opinions(FEATURES, (feature) => featureOpinion(feature, market, facts));
  const admits = opinions(TENANTS, (tenant) => admitsOpinion(tenant, facts));
  const words = (of: "sure" | "possible"): WishBits => {
    const unknown = of === "sure" ? 0 : -1;
    return {
      bedrooms: BEDROOMS_FREE | (listing.rooms === null && of === "possible" ? -1 : facts.bedroomBits),
      alternatives:
        met(HOME_TYPE_GROUP, homeTypes[of], HOME_TYPES.length) |
        met(BATHROOM_GROUP, bathrooms ?? unknown, BATHROOMS.length + 1) |
        met(CONDITION_GROUP, condition ?? unknown, CONDITIONS.length) |
        (floors[of] << FLOOR_GROUP.at),
      features: features[of] | met(ADMITS_GROUP, admits[of], TENANTS.length),
    };
  };
  return { sure: words("sure"), possible: words("possible") };
}

function bitsOf<Value>(values: readonly Value[], vocabulary: readonly Value[]): number {
  return values.reduce((bits, value) => bits | (1 << vocabulary.indexOf(value)), 0);
}

function countBits(counts: readonly number[]): number {
  return counts.reduce((bits, count) => bits | (1 << count), 0);
}

function bandsOf(set: number) {
  return FLOOR_BANDS.filter((_, index) => set & (1 << index));
}

function groupAt(at: number, width: number): Group {
  return { at, mask: ((1 << width) - 1) << at };
}

function wish(group: Group, bits: number, freeAt: number): number {
  return (bits === 0 ? 1 << freeAt : bits) << group.at;
}

function met(group: Group, bits: number, freeAt: number): number {
  return ((bits | (1 << freeAt)) << group.at) & group.mask;
}

function opinions<Value>(values: readonly Value[], opinionOn: (value: Value) => Opinion) {
  let sure = 0;
  let possible = 0;
  values.forEach((value, index) => {
    const opinion = opinionOn(value);
    if (opinion === "yes") sure |= 1 << index;
    if (opinion !== "no") possible |= 1 << index;
  });
  return { sure, possible };
}
