import type { Advert, Operation, PropertyType, Traits } from "./advert.ts";
import type { Spot } from "./geography.ts";
import type { Random } from "./random.ts";

interface DrawnAt {
  readonly code: string;
  readonly dwelling: number;
  readonly operation: Operation;
  readonly propertyType: PropertyType;
  readonly spot: Spot;
  readonly at: number;
}

const SHARE_OF_HIDDEN_ADDRESSES = 0.86;
const DISPLACEMENT_M = 230;
const METRES_PER_DEGREE = 111_320;
const STREETS = [
  ..."Calle de la Encina|Calle del Olmo Viejo|Calle de los Vidrieros|Calle Mayor|Calle de la Fuente|Paseo de las Moreras|Avenida de la Estación|Calle del Molino|Calle de Santa Clara|Calle del Arenal Bajo|Plaza del Mercado|Calle de los Herreros|Calle de la Cruz|Travesía del Horno|Calle de las Huertas|Ronda del Sur|Calle del Almendro|Calle de San Roque|Calle del Pozo|Calle de la Paloma".split(
    "|",
  ),
];

/** Draws an advert as they are seen in the portal's answers: the shares are those of Madrid, 2024. */
export function drawAdvert(random: Random, drawn: DrawnAt): Advert {
  const advert = { ...blankAdvert(random, drawn), ...addressOf(random, drawn.spot) };
  switch (drawn.propertyType) {
    case "homes":
      drawHome(random, advert);
      break;
    case "bedrooms":
      drawRoom(random, advert);
      break;
    case "garages":
      drawGarage(random, advert);
      break;
    default:
      drawWorkplace(random, advert);
  }
  return advert;
}

function blankAdvert(random: Random, drawn: DrawnAt) {
  return {
    code: drawn.code,
    dwelling: drawn.dwelling,
    operation: drawn.operation,
    propertyType: drawn.propertyType,
    publishedAt: drawn.at,
    sequence: 0,
    modifiedAt: drawn.at,
    priceEur: 0,
    formerPriceEur: null,
    sizeM2: null as number | null,
    rooms: null as number | null,
    bathrooms: null as number | null,
    typology: "flat",
    subTypology: null as string | null,
    floor: null as string | null,
    buildingFloors: random.integer(3, 9),
    isExterior: null as boolean | null,
    hasLift: null as boolean | null,
    condition: "good" as Advert["condition"],
    parking: null as Advert["parking"],
    label: null as Advert["label"],
    traits: drawTraits(random),
    hasVideo: random.chance(0.23),
    hasPlan: random.chance(0.42),
    has3DTour: random.chance(0.04),
    has360: random.chance(0.06),
    photoCount: random.chance(0.02) ? 0 : random.integer(3, 55),
    reference: random.chance(0.61) ? `R${random.integer(100, 99_999)}` : null,
    highlight: random.weighted<string | null>([
      [null, 76],
      ["Destacado", 19],
      ["Top", 5],
    ]),
  };
}

function drawHome(random: Random, advert: Advert): void {
  const isOutside = advert.spot.neighborhood === null;
  advert.typology = random.weighted([
    ["flat", isOutside ? 62 : 97],
    ["chalet", isOutside ? 33 : 2.6],
    ["countryHouse", isOutside ? 5 : 0.4],
  ]);
  const isFlat = advert.typology === "flat";
  const typicalM2 = isFlat ? (advert.operation === "rent" ? 72 : 86) : 210;
  const size = clamp(Math.round(typicalM2 * Math.exp(0.5 * random.normal())), 18, 900);
  advert.sizeM2 = size;
  advert.rooms = roomsFor(random, size);
  advert.bathrooms = clamp(Math.round(size / 75 + random.between(-0.3, 0.7)), 1, 7);
  advert.condition = random.weighted([
    ["good" as const, 80],
    ["renew" as const, advert.operation === "sale" ? 17 : 1],
    ["newdevelopment" as const, advert.operation === "sale" ? 3 : 0],
  ]);
  if (isFlat) {
    drawFlat(random, advert, size);
  } else {
    drawHouse(random, advert);
  }
  if (random.chance(isFlat ? 0.14 : 0.7)) {
    const isIncluded = random.chance(0.7);
    advert.parking = { isIncluded, priceEur: isIncluded ? null : random.integer(12, 45) * 1000 };
  }
  advert.priceEur = priceOfHome(random, advert, size);
  advert.label = labelOf(random, advert, size);
}

function drawFlat(random: Random, advert: Advert, size: number): void {
  advert.subTypology = random.weighted<string | null>([
    [null, 92],
    ["penthouse", 4],
    ["duplex", 2],
    ["studio", size < 45 ? 30 : 0],
  ]);
  if (advert.subTypology === "studio") {
    advert.rooms = 0;
  }
  const floor = clamp(Math.floor(random.exponential(2.6)), 0, advert.buildingFloors);
  advert.floor =
    floor === 0
      ? random.weighted([
          ["bj", 80],
          ["en", 9],
          ["ss", 6],
          ["st", 3],
          ["-1", 2],
        ])
      : String(floor);
  if (advert.subTypology === "penthouse") {
    advert.floor = String(advert.buildingFloors);
  }
  advert.hasLift = random.chance(0.985) ? random.chance(advert.buildingFloors > 4 ? 0.9 : 0.6) : null;
  advert.isExterior = random.chance(0.94) ? random.chance(0.77) : null;
}

function drawHouse(random: Random, advert: Advert): void {
  advert.subTypology = random.pick(
    advert.typology === "chalet"
      ? ["independantHouse", "semidetachedHouse", "terracedHouse"]
      : ["casaDePueblo", "masia", "casaTerrera"],
  );
  advert.traits.garden = random.chance(0.8);
}

function drawRoom(random: Random, advert: Advert): void {
  advert.typology = "room";
  advert.rooms = random.integer(2, 6);
  advert.sizeM2 = advert.rooms * random.integer(18, 30);
  advert.bathrooms = random.integer(1, 2);
  advert.floor = String(random.integer(1, advert.buildingFloors));
  advert.hasLift = random.chance(0.7);
  advert.isExterior = random.chance(0.6);
  advert.priceEur = roundTo(250 + advert.spot.eurPerM2 * 0.055 * random.between(0.8, 1.3), 10);
}

function drawGarage(random: Random, advert: Advert): void {
  advert.typology = "garage";
  advert.subTypology = random.pick(["sedanCar", "compactCar", "motorcycle", "carAndMotorcycle", "twoCars"]);
  advert.isExterior = random.chance(0.1);
  advert.hasLift = random.chance(0.6);
  const sale = advert.spot.eurPerM2 * 5 * random.between(0.6, 1.5);
  advert.priceEur = advert.operation === "sale" ? roundTo(sale, 500) : roundTo(sale / 250, 5);
}

function drawWorkplace(random: Random, advert: Advert): void {
  const isOffice = advert.propertyType === "offices";
  advert.typology = isOffice ? "office" : "premise";
  advert.subTypology = isOffice ? null : random.pick(["commercialProperty", "industrialPremise"]);
  advert.traits.buildingTypes =
    advert.subTypology === "industrialPremise" ? "industrialBuilding" : "premises";
  const size = clamp(Math.round(140 * Math.exp(0.8 * random.normal())), 15, 5000);
  advert.sizeM2 = size;
  advert.bathrooms = clamp(Math.round(size / 120), 1, 8);
  advert.floor = isOffice ? String(random.integer(0, advert.buildingFloors)).replace(/^0$/, "bj") : "bj";
  advert.isExterior = random.chance(0.7);
  advert.hasLift = isOffice ? random.chance(0.8) : null;
  advert.parking = random.chance(0.1) ? { isIncluded: true, priceEur: null } : null;
  const sale = advert.spot.eurPerM2 * size * random.between(0.45, 0.9);
  advert.priceEur = advert.operation === "sale" ? roundTo(sale, 1000) : roundTo(sale / 190, 25);
}

function priceOfHome(random: Random, advert: Advert, size: number): number {
  const isHighWithoutLift = advert.hasLift === false && Number(advert.floor) >= 3;
  const worth =
    (advert.condition === "renew" ? 0.85 : 1) *
    (advert.condition === "newdevelopment" ? 1.12 : 1) *
    (isHighWithoutLift ? 0.86 : 1) *
    (advert.floor !== null && Number.isNaN(Number(advert.floor)) ? 0.88 : 1) *
    (advert.isExterior === false ? 0.93 : 1) *
    (advert.subTypology === "penthouse" ? 1.12 : 1) *
    (advert.typology === "flat" ? 1 : 0.8) *
    Math.exp(0.17 * random.normal());
  if (advert.operation === "sale") {
    return roundTo(advert.spot.eurPerM2 * size * worth * (size / 85) ** -0.08, 1000);
  }
  return roundTo(advert.spot.eurPerM2 * 0.0038 * size * worth * (size / 70) ** -0.28, 10);
}

function labelOf(random: Random, advert: Advert, size: number): Advert["label"] {
  const isLuxury = advert.operation === "sale" ? advert.priceEur > 1_200_000 : advert.priceEur > 4000;
  if (isLuxury && random.chance(0.7)) {
    return { name: "luxuryType", text: "Lujo" };
  }
  if (advert.subTypology === "independantHouse" && random.chance(0.3)) {
    return { name: "villaType", text: "Villa" };
  }
  return advert.typology === "flat" && size < 60 && random.chance(0.12)
    ? { name: "apartamentoType", text: "Apartamento" }
    : null;
}

function roomsFor(random: Random, size: number): number {
  const wanted = size < 35 ? random.integer(0, 1) : Math.round(size / 34 + random.between(-0.8, 0.6));
  return clamp(wanted, size < 45 ? 0 : 1, 9);
}

function drawTraits(random: Random): Traits {
  // One drawn number gives every chance of 1/2, 1/4, 1/8: this runs tens of thousands of times.
  const bits = Math.floor(random.next() * 2 ** 30);
  const all = (...indices: number[]) => indices.every((index) => ((bits >> index) & 1) === 1);
  const either = <T>(index: number, yes: T, no: T): T => (all(index) ? yes : no);
  return {
    terrance: all(0, 1),
    swimmingPool: all(2, 3),
    airConditioning: all(4),
    storeRoom: all(5, 6),
    builtinWardrobes: all(7),
    clotheslineSpace: all(8, 9),
    furnished: either(10, either<Traits["furnished"]>(11, "furnished", "furnishedKitchen"), null),
    bankOffer: all(12, 13, 14, 15),
    balcony: all(16, 17),
    garden: all(18, 19),
    accessible: all(20, 21, 22),
    petsAllowed: all(23),
    seaViews: false,
    privateAdvertiser: all(24, 25),
    situation: either(26, either<Traits["situation"]>(27, "tenanted", "free"), "free"),
    rental: either(26, "seasonal", "long"),
    energy: either(28, "low", either<Traits["energy"]>(29, "medium", "high")),
    layout: either(0, "openPlan", "withWalls"),
    buildingType: either(1, "exclusive", "mixed"),
    hotWater: all(2),
    heating: all(3),
    security: all(5),
    location: either(6, "street", either<Traits["location"]>(8, "others", "shoppingcenter")),
    corner: all(9),
    smokeVentilation: all(16),
    transfer: all(18, 20),
    buildingTypes: "premises",
    automaticDoor: all(21),
    motorcycleParking: all(22),
    tenants: 1 + (bits % 4),
    gender: either(10, "mixed", either<Traits["gender"]>(11, "female", "male")),
    smokePolicy: either(13, "allowed", "disallowed"),
    petsPolicy: either(14, "allowed", "disallowed"),
    gayPartners: all(15),
  };
}

function addressOf(random: Random, spot: Spot) {
  const spreadM = spot.neighborhood === null ? 900 : 320;
  const at = offset(spot, random.normal() * spreadM, random.normal() * spreadM);
  const isAddressShown = !random.chance(SHARE_OF_HIDDEN_ADDRESSES);
  const angle = random.between(0, 2 * Math.PI);
  const distanceM = isAddressShown ? 0 : DISPLACEMENT_M * Math.sqrt(random.next());
  const shown = offset(at, Math.cos(angle) * distanceM, Math.sin(angle) * distanceM);
  const hasStreet = isAddressShown || random.chance(0.7);
  return {
    spot,
    street: hasStreet ? (STREETS[random.integer(0, STREETS.length - 1)] ?? null) : null,
    streetNumber: random.integer(1, 120),
    isAddressShown,
    latitude: at.latitude,
    longitude: at.longitude,
    shownLatitude: shown.latitude,
    shownLongitude: shown.longitude,
  };
}

function offset(from: { latitude: number; longitude: number }, northM: number, eastM: number) {
  const shrink = Math.cos((from.latitude * Math.PI) / 180);
  return {
    latitude: Math.round((from.latitude + northM / METRES_PER_DEGREE) * 1e7) / 1e7,
    longitude: Math.round((from.longitude + eastM / (METRES_PER_DEGREE * shrink)) * 1e7) / 1e7,
  };
}

export function roundTo(value: number, step: number): number {
  return Math.max(step, Math.round(value / step) * step);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
