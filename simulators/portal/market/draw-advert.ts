import { type Advert, type Operation, type PropertyType, TRAITS, type Traits } from "./advert.ts";
import { inZone } from "./in-zone.ts";
import type { Spot } from "./places.ts";
import type { Random } from "./random.ts";

interface Drawn {
  readonly code: string;
  readonly operation: Operation;
  readonly propertyType: PropertyType;
  readonly spot: Spot;
  readonly at: number;
}

const SHARE_OF_HIDDEN_ADDRESSES = 0.86;
const DISPLACEMENT_M = 230;
const METRES_PER_DEGREE = 111_320;
const TRAIT_VALUES = Object.entries(TRAITS);
const STREETS = [
  "Calle de la Encina",
  "Calle del Olmo Viejo",
  "Calle Mayor",
  "Paseo de las Moreras",
  "Avenida de la Estación",
  "Calle de Santa Clara",
  "Plaza del Mercado",
  "Calle de las Huertas",
  "Ronda del Sur",
  "Calle de la Paloma",
] as const;

/** Draws a random advert, with the distribution of Madrid in 2024. */
export function drawAdvert(random: Random, drawn: Drawn): Advert {
  const advert = blankAdvert(random, drawn);
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

function blankAdvert(random: Random, { at, ...drawn }: Drawn): Advert {
  const traits = TRAIT_VALUES.map(([name, values]) => [name, random.pick<unknown>(values)]);
  return {
    ...(Object.fromEntries(traits) as Traits),
    ...drawn,
    ...addressOf(random, drawn.spot),
    publishedAt: at,
    modifiedAt: at,
    priceEur: 0,
    formerPriceEur: null,
    sizeM2: null,
    rooms: null,
    bathrooms: null,
    typology: "flat",
    subTypology: null,
    floor: null,
    floorBand: null,
    isExterior: random.chance(0.77),
    hasLift: random.chance(0.75),
    condition: "good",
    hasParking: false,
    parkingPriceEur: null,
    label: null,
    photoCount: random.chance(0.02) ? 0 : random.integer(3, 55),
  };
}

function drawHome(random: Random, advert: Advert): void {
  const isTown = advert.spot.neighborhood === null;
  const isSale = advert.operation === "sale";
  advert.typology = random.weighted([
    ["flat", isTown ? 62 : 97],
    ["chalet", isTown ? 33 : 2.6],
    ["countryHouse", isTown ? 5 : 0.4],
  ]);
  const isFlat = advert.typology === "flat";
  const size = clamp(Math.round((isFlat ? 80 : 210) * Math.exp(0.5 * random.normal())), 18, 900);
  advert.sizeM2 = size;
  advert.rooms = clamp(Math.round(size / 34 + random.between(-0.8, 0.6)), size < 45 ? 0 : 1, 9);
  advert.bathrooms = clamp(Math.round(size / 75 + random.between(-0.3, 0.7)), 1, 7);
  advert.condition = random.weighted([
    ["good" as const, 80],
    ["renew" as const, isSale ? 17 : 1],
    ["newdevelopment" as const, isSale ? 3 : 0],
  ]);
  if (isFlat) {
    drawFlat(random, advert, size);
  } else {
    drawHouse(random, advert);
  }
  advert.hasParking = random.chance(isFlat ? 0.14 : 0.7);
  advert.parkingPriceEur = random.pick([null, null, random.integer(12, 45) * 1000]);
  const worth = advert.spot.eurPerM2 * size * Math.exp(0.2 * random.normal());
  advert.priceEur = isSale ? roundTo(worth, 1000) : roundTo(worth * 0.0038, 10);
  if (advert.priceEur > (isSale ? 1_200_000 : 4000)) {
    advert.label = "luxuryType";
  }
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
  const storeys = random.integer(3, 9);
  const floor = advert.subTypology === "penthouse" ? storeys : random.integer(0, storeys);
  advert.floor = floor === 0 ? random.pick(["bj", "bj", "bj", "bj", "en", "ss", "st", "-1"]) : String(floor);
  advert.label = random.chance(0.05) ? "apartamentoType" : null;
  advert.floorBand = floor === 0 ? "ground" : floor === storeys ? "top" : "middle";
  // A few real answers lack these fields.
  advert.hasLift = random.chance(0.985) ? advert.hasLift : null;
  advert.isExterior = random.chance(0.94) ? advert.isExterior : null;
}

function drawHouse(random: Random, advert: Advert): void {
  advert.subTypology =
    advert.typology === "chalet"
      ? random.pick(["independantHouse", "semidetachedHouse", "terracedHouse"])
      : random.pick(["casaDePueblo", "masia", "casaTerrera"]);
  advert.hasLift = null;
  advert.isExterior = null;
}

function drawRoom(random: Random, advert: Advert): void {
  const rooms = random.integer(2, 6);
  Object.assign(advert, { typology: "room", rooms, sizeM2: rooms * random.integer(18, 30), bathrooms: 1 });
  advert.floor = String(random.integer(1, 6));
  advert.priceEur = roundTo(250 + advert.spot.eurPerM2 * 0.055 * random.between(0.8, 1.3), 10);
}

function drawGarage(random: Random, advert: Advert): void {
  advert.typology = "garage";
  advert.subTypology = random.pick(["sedanCar", "compactCar", "motorcycle", "carAndMotorcycle", "twoCars"]);
  const worth = advert.spot.eurPerM2 * 5 * random.between(0.6, 1.5);
  advert.priceEur = advert.operation === "sale" ? roundTo(worth, 500) : roundTo(worth / 250, 5);
}

function drawWorkplace(random: Random, advert: Advert): void {
  const isOffice = advert.propertyType === "offices";
  const isIndustrial = advert.buildingTypes === "industrialBuilding";
  const size = clamp(Math.round(140 * Math.exp(0.8 * random.normal())), 15, 5000);
  advert.typology = isOffice ? "office" : "premise";
  advert.subTypology = isOffice ? null : isIndustrial ? "industrialPremise" : "commercialProperty";
  advert.sizeM2 = size;
  advert.bathrooms = clamp(Math.round(size / 120), 1, 8);
  advert.floor = isOffice ? String(random.integer(1, 9)) : "bj";
  const worth = advert.spot.eurPerM2 * size * random.between(0.45, 0.9);
  advert.priceEur = advert.operation === "sale" ? roundTo(worth, 1000) : roundTo(worth / 190, 25);
}

function addressOf(random: Random, spot: Spot) {
  const at = inZone(spot, offset(spot, random.normal() * 700, random.normal() * 700));
  const isAddressShown = !random.chance(SHARE_OF_HIDDEN_ADDRESSES);
  const angle = random.between(0, 2 * Math.PI);
  const movedM = isAddressShown ? 0 : DISPLACEMENT_M * Math.sqrt(random.next());
  const shown = offset(at, Math.cos(angle) * movedM, Math.sin(angle) * movedM);
  return {
    street: isAddressShown || random.chance(0.7) ? random.pick(STREETS) : null,
    streetNumber: random.integer(1, 120),
    isAddressShown,
    ...at,
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
