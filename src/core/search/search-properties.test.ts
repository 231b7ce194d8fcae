import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleListing } from "#test/fixtures/listing.ts";
import { drawnAreaOf, positionIn } from "../geo/drawn-area.ts";
import { encodePolyline } from "../geo/polyline.ts";
import type { Listing } from "../listing/listing.ts";
import { createFilterIndex } from "../matching/filter-index.ts";
import { listingFactsOf } from "../matching/listing-facts.ts";
import { matches } from "../matching/match.ts";
import { allPlaces, ancestorsOf, type Place } from "../places/places.ts";
import { normaliseSearch } from "./normalise-search.ts";
import { BEDROOMS, CONDITIONS, FEATURES, type Search, searchFor, type Where } from "./search.ts";
import { parseSearchUrl } from "./url/parse-search-url.ts";
import { CATEGORIES, PORTAL_LANGUAGES, WORD_GROUPS } from "./url/portal-words.ts";

const places = [...allPlaces()];
const NEARBY = places.filter(({ id }) => /^0-EU-ES-28(-07-001-079(-07(-\d+)?)?)?$/.test(id));
const CITY = places.filter(({ id }) => id.startsWith("0-EU-ES-28-07-001-079"));

const ring = fc
  .record({
    latitude: fc.double({ min: 40.3, max: 40.5, noNaN: true }),
    longitude: fc.double({ min: -3.8, max: -3.6, noNaN: true }),
    radius: fc.double({ min: 0.002, max: 0.05, noNaN: true }),
    corners: fc.integer({ min: 3, max: 9 }),
  })
  .map(({ latitude, longitude, radius, corners }) => {
    const points = Array.from({ length: corners + 1 }, (_, index) => {
      const angle = ((index % corners) / corners) * 2 * Math.PI;
      return {
        latitude: latitude + radius * Math.sin(angle),
        longitude: longitude + radius * Math.cos(angle),
      };
    });
    return encodePolyline(points);
  });

const slug = fc
  .stringMatching(/^[a-z]{2,8}(-[a-z]{2,8}){0,2}$/)
  .filter(
    (text) => !text.startsWith("con-") && text !== "mapa" && text !== "municipios" && text !== "mapa-google",
  );
const placeIn = (from: readonly Place[]): fc.Arbitrary<Where> =>
  fc.constantFrom(...from).map(({ id }) => ({ type: "place", placeId: id }));
const where: fc.Arbitrary<Where> = fc.oneof(
  placeIn(places),
  placeIn(CITY),
  fc.uniqueArray(ring, { minLength: 1, maxLength: 3 }).map((rings): Where => ({ type: "drawn", rings })),
  fc
    .constantFrom(
      ["galdakao-vizcaya"],
      ["lleida", "mariola"],
      ["xanadu", "centro"],
      ["madrid", "villa-de-vallecas", "valdecarros"],
      ["zaragoza"],
    )
    .map((path): Where => ({ type: "unlisted-place", path })),
  fc
    .uniqueArray(fc.stringMatching(/^[0-9A-Za-z]{3}$/), { minLength: 1, maxLength: 5 })
    .map((codes): Where => ({ type: "zones", codes: codes.sort() })),
  slug.map((text): Where => ({ type: "point-of-interest", slug: text })),
  fc
    .tuple(slug, fc.array(slug, { maxLength: 2 }))
    .map(([text, path]): Where => ({ type: "text", text, path })),
);

const limit = fc.option(fc.integer({ min: 1, max: 999_999_999 }));
const unknownTokens = fc
  .uniqueArray(fc.stringMatching(/^zz-[a-z0-9_.-]{0,12}$/), { maxLength: 3 })
  .map((words) => words.sort());

/** Any search the portal can express: wishes are drawn from the words it has for the kind of property. */
const anySearch: fc.Arbitrary<Search> = fc
  .record({
    category: fc.constantFrom(...CATEGORIES),
    where,
    unknownTokens,
    minPriceEur: limit,
    maxPriceEur: limit,
    minAreaM2: limit,
    maxAreaM2: limit,
  })
  .chain(({ category: [, operation, kind], ...said }) => {
    const groups = WORD_GROUPS.filter((group) => group.kinds.includes(kind));
    const base = { ...searchFor(operation, kind, said.where), ...said };
    return fc
      .tuple(
        ...groups.map((group) =>
          group.takesSeveral ? fc.subarray([...group.values]) : fc.option(fc.constantFrom(...group.values)),
        ),
      )
      .map(
        (values) =>
          ({
            ...base,
            ...Object.fromEntries(groups.map((group, index) => [group.field, values[index]])),
          }) as Search,
      );
  });

test("parsing a normalised search gives the search", () => {
  fc.assert(
    fc.property(anySearch, fc.option(fc.constantFrom(...PORTAL_LANGUAGES)), (search, language) => {
      const { canonicalUrl, searchKey } = normaliseSearch(search, language);
      fc.pre(canonicalUrl.length <= 2048);
      expect(parseSearchUrl(canonicalUrl)).toEqual({
        ok: true,
        search,
        portalLanguage: language,
        canonicalUrl,
        searchKey,
        repairs: [],
      });
    }),
    { numRuns: 1000 },
  );
});

/** Words, marks and junk of which a pasted text might be made. */
const scrap = fc.oneof(
  fc.constantFrom(
    "https://",
    "http://",
    "www.",
    "idealista.com",
    "/",
    "venta-viviendas",
    "alquiler-viviendas",
    "madrid-madrid",
    "madrid",
    "chamberi",
    "con-",
    ",",
    "precio-hasta_900",
    "ascensor",
    "?",
    "&",
    "shape=((",
    "))",
    "%28",
    "%",
    "areas",
    "buscar",
    "geo",
    "multi",
    "pagina-2.htm",
    "en",
    " ",
    "\n",
    "#",
    "@",
    "\\",
  ),
  fc.string({ maxLength: 6 }),
);
const pasted = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(scrap, { maxLength: 25 }).map((scraps) => scraps.join("")),
  fc.array(scrap, { maxLength: 25 }).map((scraps) => `https://www.idealista.com/${scraps.join("")}`),
  fc
    .array(fc.constantFrom("madrid", "a", "con-ascensor,zz", "x_y", "%41", "mapa-google", "pagina-3"), {
      maxLength: 5,
    })
    .map((segments) => `www.idealista.com/buscar/venta-viviendas/${segments.join("/")}`),
);

test("any text is answered, and what is understood is spelt one way for good", () => {
  fc.assert(
    fc.property(pasted, (text) => {
      const parsed = parseSearchUrl(text);
      if (!parsed.ok) return;
      const again = parseSearchUrl(parsed.canonicalUrl);
      expect(again).toEqual({ ...parsed, repairs: [] });
      expect(parsed.canonicalUrl).toMatch(/^https:\/\/www\.idealista\.com\/[!-~]+$/);
    }),
    { numRuns: 3000 },
  );
});

test("no text of 2,048 characters takes long", () => {
  const fillers = [
    "(",
    ")",
    "((",
    "))((",
    "%",
    "%28",
    "/",
    "-",
    "a-",
    ",",
    "con-",
    "@",
    "?",
    "&",
    "=",
    ".",
    "\u200b",
    "\n",
    " h",
    "https://",
    "_",
    "\\",
    "www.idealista.com/ ",
    "a",
    "~",
  ];
  const heads = [
    "",
    "https://www.idealista.com/",
    "https://www.idealista.com/venta-viviendas/",
    "https://www.idealista.com/areas/venta-viviendas/?shape=",
    "https://www.idealista.com/venta-viviendas/madrid-madrid/con-",
  ];
  const from = performance.now();
  let answered = 0;
  for (const head of heads) {
    for (const filler of fillers) {
      parseSearchUrl((head + filler.repeat(2048)).slice(0, 2048));
      answered++;
    }
  }
  expect(answered).toBe(heads.length * fillers.length);
  // A millisecond each is usual; a pattern that backtracks would take minutes.
  expect(performance.now() - from).toBeLessThan(20_000);
});

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
          tenantCount: fc.constant(3),
          isSmokingAllowed: maybe(fc.boolean()),
        }),
      ),
    }) as fc.Arbitrary<Partial<Listing>>,
  })
  .map(({ names, said }) => sampleListing({ ...said, ...names }));

/** Limits and places near the listings', so that filters match and miss by a little. */
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

test("the index answers exactly as asking every filter, through additions and changes", () => {
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
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(100);
});

test("a point is inside a drawing whichever corner the ring begins at", () => {
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
  );
});
