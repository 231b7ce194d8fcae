/** Random filters and listings that resemble real ones: mostly Madrid, round price limits, common numbers of rooms. */

import { encodePolyline } from "#core/geo/polyline.ts";
import type { Listing } from "#core/listing/listing.ts";
import { allPlaces, ancestorsOf, type Place } from "#core/places/places.ts";
import { RULE_ACTS, type Rule } from "#core/rules/rule-kinds.ts";
import { type Bedrooms, type Feature, type Search, searchFor, type Where } from "#core/search/search.ts";
import { WARNING_KINDS } from "#core/warnings/warning.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import type { Random } from "#test/seeded.ts";

const MADRID_CITY = "0-EU-ES-28-07-001-079";
const places = [...allPlaces()];
const inMadrid = (level: Place["level"]) =>
  places.filter((place) => place.level === level && place.id.startsWith(MADRID_CITY));
const madridDistricts = inMadrid("district");
const madridBarrios = inMadrid("barrio");
const madridTowns = places.filter(
  (place) => place.level === "municipality" && place.id.startsWith("0-EU-ES-28"),
);
const otherCities = places.filter((place) => /^0-EU-ES-(08-13|46-02)-/.test(place.id));
const provinces = places.filter((place) => place.level === "province");
const FEATURES: readonly Feature[] = [
  "lift",
  "exterior",
  "garage",
  "terrace",
  "air-conditioning",
  "swimming-pool",
];

export function drawSearch(random: Random): Search {
  const isRent = random() < 0.6;
  const kind = random() < 0.93 ? "homes" : isRent ? "rooms" : "garages";
  const step = isRent ? 50 : 10_000;
  const middle = (isRent ? 1300 : 380_000) * (0.5 + random() * 1.3);
  const maxPriceEur = random() < 0.93 ? Math.round(middle / step) * step : null;
  const minPriceEur = random() < 0.25 ? Math.round((middle * 0.5) / step) * step : null;
  const base = searchFor(isRent ? "rent" : "sale", kind, drawWhere(random));
  if (kind !== "homes") return { ...base, maxPriceEur };
  return { ...base, maxPriceEur, minPriceEur, ...drawHome(random), ...(isRent ? drawRental(random) : {}) };
}

function drawHome(random: Random): Partial<Search> {
  const maybe = <Value>(chance: number, values: readonly Value[]) =>
    random() < chance ? pick(values, random) : null;
  return {
    minAreaM2: maybe(0.55, [40, 50, 60, 70, 80, 90, 100, 120]),
    maxAreaM2: maybe(0.05, [120, 200]),
    bedrooms: maybe<Bedrooms[]>(0.65, [[1], [1, 2], [2], [2, 3], [2, 3, 4], [3, 4], [0, 1]]) ?? [],
    bathrooms: maybe(0.15, [[1, 2], [2, 3], [2]] as const) ?? [],
    homeTypes: maybe(0.2, [["plain-flat"], ["flat"], ["house"], ["penthouse"]] as const) ?? [],
    features: FEATURES.filter((_, index) => random() < (index === 0 ? 0.35 : 0.06)),
    floors: maybe(0.12, [["top", "middle"], ["middle"]] as const) ?? [],
    conditions: maybe(0.15, [["new", "good"], ["good"]] as const) ?? [],
    publishedWithin: maybe(0.08, ["24-hours", "48-hours", "week"] as const),
  };
}

function drawRental(random: Random): Partial<Search> {
  return {
    furnishing: random() < 0.08 ? "furnished" : null,
    rentalTypes: random() < 0.2 ? ["long-term"] : [],
  };
}

function drawWhere(random: Random): Where {
  const roll = random();
  if (roll < 0.12) return { type: "drawn", rings: [drawRing(random)] };
  if (roll < 0.34) return { type: "place", placeId: MADRID_CITY };
  if (roll < 0.56) return at(pick(madridDistricts, random));
  if (roll < 0.72) return at(pick(madridBarrios, random));
  if (roll < 0.82) return at(pick(madridTowns, random));
  if (roll < 0.93) return at(pick(otherCities, random));
  if (roll < 0.96) return at(pick(provinces, random));
  return {
    type: "unlisted-place",
    path: [pick(["lleida-lleida", "malaga-malaga", "sevilla-sevilla"], random)],
  };
}

/** Around Madrid, one to three kilometres across, a dozen corners. */
function drawRing(random: Random): string {
  const latitude = 40.42 + (random() - 0.5) * 0.14;
  const longitude = -3.69 + (random() - 0.5) * 0.16;
  const radius = 0.006 + random() * 0.015;
  const corners = Array.from({ length: 12 }, (_, index) => {
    const angle = (index / 12) * 2 * Math.PI;
    const reach = radius * (0.8 + random() * 0.4);
    return {
      latitude: latitude + reach * Math.sin(angle),
      longitude: longitude + reach * 1.3 * Math.cos(angle),
    };
  });
  const [first] = corners;
  return encodePolyline(first ? [...corners, first] : corners);
}

export function drawListing(random: Random, number: number): Listing {
  const isRent = random() < 0.5;
  const isMadrid = random() < 0.85;
  const place = pick(
    isMadrid ? madridBarrios : otherCities.filter((other) => other.level === "barrio"),
    random,
  );
  const [district, municipality] = ancestorsOf(place.id);
  const rooms = pick([0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5], random);
  const areaM2 = Math.round(25 + rooms * 24 + random() * 40);
  return sampleListing({
    propertyCode: String(100_000_000 + number),
    operation: isRent ? "rent" : "sale",
    priceEur: Math.round(areaM2 * (isRent ? 14 + random() * 14 : 3000 + random() * 5000)),
    areaM2,
    rooms,
    bathrooms: rooms > 2 ? 2 : 1,
    floor: pick(["bj", "1", "2", "3", "4", "5", "7"], random),
    hasLift: random() < 0.7,
    isExterior: random() < 0.7,
    subTypology: random() < 0.05 ? "penthouse" : null,
    condition: random() < 0.8 ? "good" : "renew",
    address: null,
    province: isMadrid ? "Madrid" : (ancestorsOf(place.id).at(-1)?.name ?? null),
    municipality: municipality?.name ?? null,
    district: district?.name ?? null,
    neighborhood: place.name,
    latitude: 40.42 + (random() - 0.5) * 0.14,
    longitude: -3.69 + (random() - 0.5) * 0.16,
    isAddressShown: random() < 0.14,
    parking: random() < 0.2 ? { isIncludedInPrice: true, priceEur: null } : null,
    hasPlan: random() < 0.3,
    url: `https://www.idealista.com/inmueble/${100_000_000 + number}/`,
    title: null,
  });
}

const WORDS = [
  "terraza",
  "ático",
  "planta baja",
  "sin ascensor",
  "interior",
  "reformado",
  "subasta",
  "trastero",
];

/** One to four rules. */
export function drawRules(random: Random): Rule[] {
  return Array.from({ length: 1 + Math.floor(random() * 4) }, (): Rule => {
    const act = pick(RULE_ACTS, random);
    const roll = random();
    if (roll < 0.45) return { on: "warning", kind: pick(WARNING_KINDS, random), act };
    if (roll < 0.65) return { on: "advertiser", is: pick(["agency", "private"] as const, random), act };
    if (roll < 0.85) {
      const words = [pick(WORDS, random), pick(WORDS, random)];
      return { on: "words", are: pick(["present", "absent"] as const, random), words, act };
    }
    return { on: "zone-price", is: pick(["above", "below"] as const, random), percent: 20, act };
  });
}

/** About as long as a typical description. */
export function drawText(random: Random): string {
  const filler = [
    "piso",
    "exterior",
    "muy",
    "luminoso",
    "con",
    "cocina",
    "equipada",
    "y",
    "baño",
    "completo",
    ...WORDS,
  ];
  return Array.from({ length: 120 }, () => pick(filler, random)).join(" ");
}

function at(place: Place): Where {
  return { type: "place", placeId: place.id };
}

function pick<Value>(values: readonly Value[], random: Random): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("Nothing to pick from");
  return value;
}
