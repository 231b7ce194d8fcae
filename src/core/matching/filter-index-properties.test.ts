import fc from "fast-check";
import { expect, test } from "vitest";
import { anySearch, CITY, NEARBY, placeIn, places, ring, where } from "#test/fixtures/any-search.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { drawn } from "#test/seeded.ts";
import { drawnAreaOf, positionIn } from "../geo/drawn-area.ts";
import type { Listing } from "../listing/listing.ts";
import { ancestorsOf, type Place } from "../places/places.ts";
import { BEDROOMS, CONDITIONS, FEATURES, type Search, searchFor } from "../search/search.ts";
import { createFilterIndex } from "./filter-index.ts";
import { listingFactsOf } from "./listing-facts.ts";
import { matches } from "./match.ts";

const listingPlace = fc
  .oneof(fc.constantFrom(...NEARBY), fc.constantFrom(...CITY), fc.constantFrom(...places))
  .map((place) => {
    const line = [place, ...ancestorsOf(place.id)];
    const nameAt = (level: Place["level"]) => line.find((one) => one.level === level)?.name ?? null;
    return {
      province: nameAt("province"),
      municipality: nameAt("municipality"),
      district: nameAt("district"),
      neighborhood: nameAt("barrio"),
    };
  });
const strangePlace = fc.constantFrom(
  { province: "Vizcaya", municipality: "Galdakao", district: null, neighborhood: null },
  { province: "Lleida", municipality: "Lleida", district: "Mariola", neighborhood: null },
  { province: "Madrid", municipality: "Madrid", district: "Villa de Vallecas", neighborhood: "Valdecarros" },
  { province: "Atlantis", municipality: "Xanadu", district: "Centro", neighborhood: null },
  { province: null, municipality: null, district: null, neighborhood: null },
);
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { freq: 8 });
const anyListing: fc.Arbitrary<Listing> = fc
  .record({
    names: fc.oneof({ weight: 5, arbitrary: listingPlace }, { weight: 1, arbitrary: strangePlace }),
    said: fc.record({
      operation: fc.constantFrom("sale", "rent", "rent", "rent"),
      kind: fc.constantFrom("homes", "homes", "homes", "rooms", "premises", "offices"),
      priceEur: fc.integer({ min: 1, max: 3000 }),
      areaM2: maybe(fc.integer({ min: 10, max: 200 })),
      rooms: maybe(fc.integer({ min: 0, max: 7 })),
      bathrooms: maybe(fc.integer({ min: 0, max: 5 })),
      floor: fc.constantFrom("bj", "en", "1", "5", "-1", null),
      hasLift: maybe(fc.boolean()),
      isExterior: maybe(fc.boolean()),
      typology: fc.constantFrom("flat", "flat", "chalet", "countryHouse", "premise"),
      subTypology: fc.constantFrom(
        null,
        null,
        "penthouse",
        "duplex",
        "studio",
        "terracedHouse",
        "industrialPremise",
      ),
      condition: maybe(fc.constantFrom(...CONDITIONS)),
      latitude: maybe(fc.double({ min: 40.3, max: 40.5, noNaN: true })),
      longitude: maybe(fc.double({ min: -3.8, max: -3.6, noNaN: true })),
      isAddressShown: fc.boolean(),
      parking: maybe(fc.constant({ isIncludedInPrice: true, priceEur: null })),
      labels: fc.subarray(["luxuryType", "villaType", "apartamentoType"]),
      amenities: fc.dictionary(fc.constantFrom(...FEATURES), fc.boolean(), { maxKeys: 2 }),
      hasPlan: fc.boolean(),
      sharing: maybe(
        fc.record({
          tenantGender: maybe(fc.constantFrom("mixed", "male", "female")),
          isSmokingAllowed: maybe(fc.boolean()),
        }),
      ),
    }) as fc.Arbitrary<Partial<Listing>>,
  })
  .map(({ names, said }) => sampleListing({ ...said, ...names }));

/** Limits and places close to those of the listings, so that many filters match or narrowly miss. */
const likelySearch = fc
  .record({
    search: anySearch,
    near: fc.oneof(placeIn(NEARBY), where),
    maxPriceEur: fc.option(fc.integer({ min: 1, max: 4000 })),
    minPriceEur: fc.option(fc.integer({ min: 1, max: 900 })),
    minAreaM2: fc.option(fc.integer({ min: 10, max: 90 })),
    bedrooms: fc.subarray([...BEDROOMS]),
    features: fc.subarray([...FEATURES], { maxLength: 2 }),
    mood: fc.constantFrom("anything", "plain", "picky"),
  })
  .map(({ search, mood, near, bedrooms, features, ...limits }): Search => {
    if (mood === "anything") return { ...search, ...limits, maxAreaM2: null };
    const plain = { ...searchFor("rent", "homes", near), ...limits };
    return mood === "plain"
      ? plain
      : { ...plain, bedrooms, features, homeTypes: ["flat"], floors: ["top", "middle"] };
  });

const changes: fc.Arbitrary<{ id: number; search: Search }[]> = fc.array(
  fc.record({ id: fc.integer({ min: 0, max: 40 }), search: likelySearch }),
  { minLength: 1, maxLength: 80, size: "max" },
);

test("the index finds the same filters as testing each one, after additions and changes", () => {
  let found = 0;
  fc.assert(
    fc.property(changes, fc.array(anyListing, { minLength: 4, maxLength: 8 }), (steps, listings) => {
      const index = createFilterIndex<number>();
      const filters = new Map<number, Search>();
      for (const { id, search } of steps) {
        index.put(id, search);
        filters.set(id, search);
      }
      for (const listing of listings) {
        const ids = index.find(listing).sort((a, b) => a - b);
        const facts = listingFactsOf(listing);
        const asked = [...filters].flatMap(([id, search]) => (matches(search, facts) === "no" ? [] : [id]));
        expect(ids).toEqual(asked.sort((a, b) => a - b));
        found += ids.length;
      }
    }),
    drawn(300),
  );
  expect(found).toBeGreaterThan(100);
});

test("whether a point is inside a drawing does not depend on the ring's first corner", () => {
  fc.assert(
    fc.property(
      ring,
      fc.double({ min: 40.3, max: 40.5, noNaN: true }),
      fc.double({ min: -3.8, max: -3.6, noNaN: true }),
      fc.integer({ min: 1, max: 8 }),
      (encoded, latitude, longitude, turn) => {
        const area = drawnAreaOf([encoded]);
        const corners = (area.rings[0] ?? []).slice(0, -1);
        const turned = [...corners.slice(turn % corners.length), ...corners.slice(0, turn % corners.length)];
        const again = { ...area, rings: [[...turned, ...turned.slice(0, 1)]] };
        expect(positionIn(again, { latitude, longitude }, 250)).toBe(
          positionIn(area, { latitude, longitude }, 250),
        );
      },
    ),
    drawn(),
  );
});
