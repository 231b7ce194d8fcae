import { type Advert, isHouse } from "../market/advert.ts";
import type { Random } from "../market/random.ts";

/** One filter word of a search URL: whether an advert matches it, and how to make one match. */
export interface UrlFilter {
  /** An advert must match one filter of each group. */
  readonly group: string;
  readonly token: string;
  fits(advert: Advert, now: number): boolean;
  change(advert: Advert, random: Random): void;
}

type Rule = Pick<UrlFilter, "fits" | "change">;

/** Parses one word of `con-…`. Returns undefined for an unknown word. */
export function urlFilterOf(token: string): UrlFilter | undefined {
  const limit = limitOf(token);
  if (limit !== undefined) {
    return { group: token.replace(/_.*/, ""), token, ...limit };
  }
  const [group, rules] = GROUPS.find(([, words]) => Object.hasOwn(words, token)) ?? [];
  const rule = rules?.[token];
  return group === undefined || rule === undefined
    ? undefined
    : { group: group === "features" ? token : group, token, ...rule };
}

function limitOf(token: string): Rule | undefined {
  const [, word, digits] = /^([a-z-]+)_(\d{1,9})$/.exec(token) ?? [];
  const limit = Number(digits);
  switch (word) {
    case "precio-hasta":
      return {
        fits: ({ priceEur }) => priceEur <= limit,
        change: (advert, random) =>
          Object.assign(advert, { priceEur: roundDown(limit * random.between(0.85, 1)) }),
      };
    case "precio-desde":
      return { fits: ({ priceEur }) => priceEur >= limit, change: assign({ priceEur: limit }) };
    case "metros-cuadrados-mas-de":
      return { fits: ({ sizeM2 }) => sizeM2 !== null && sizeM2 >= limit, change: assign({ sizeM2: limit }) };
    case "metros-cuadrados-menos-de":
      return { fits: ({ sizeM2 }) => sizeM2 !== null && sizeM2 <= limit, change: assign({ sizeM2: limit }) };
    default:
      return undefined;
  }
}

function roundDown(value: number): number {
  const step = value > 50_000 ? 1000 : value > 100 ? 10 : 1;
  return Math.floor(value / step) * step;
}

function assign(fields: Partial<Advert>): Rule["change"] {
  return (advert) => Object.assign(advert, fields);
}

/** Matches adverts with these fields. The other fields are only set. */
function is(fields: Partial<Advert>, withThem: Partial<Advert> = {}): Rule {
  const wanted = Object.entries(fields);
  return {
    fits: (advert) => wanted.every(([name, value]) => Reflect.get(advert, name) === value),
    change: assign({ ...fields, ...withThem }),
  };
}

function atLeast(field: "rooms" | "bathrooms", count: number): Rule {
  return { fits: (advert) => (advert[field] ?? 0) >= count, change: assign({ [field]: count }) };
}

function admits(gender: "male" | "female"): Rule {
  return { fits: (advert) => ["mixed", gender].includes(advert.gender), change: assign({ gender }) };
}

function onFloor(floorBand: NonNullable<Advert["floorBand"]>, floor: string): Rule {
  return {
    fits: (advert) => !isHouse(advert) && advert.floorBand === floorBand,
    change: assign({ floorBand, floor }),
  };
}

function publishedWithin(hours: number): Rule {
  return { fits: (advert, now) => advert.publishedAt >= now - hours * 3_600_000, change: () => undefined };
}

const FLAT = { floor: "2", floorBand: "middle", hasLift: true, isExterior: true } as const;
const HOUSE = { floor: null, floorBand: null, hasLift: null, isExterior: null } as const;
const flat = (subTypology: string) => is({ typology: "flat", subTypology }, FLAT);
const chalet = (subTypology: string) => is({ typology: "chalet", subTypology }, HOUSE);

const GROUPS: readonly (readonly [string, Readonly<Record<string, Rule>>])[] = Object.entries({
  types: {
    pisos: is({ typology: "flat" }, { ...FLAT, subTypology: null }),
    "solo-pisos": {
      fits: ({ typology, subTypology }) =>
        typology === "flat" && subTypology !== "penthouse" && subTypology !== "duplex",
      change: assign({ ...FLAT, typology: "flat", subTypology: null }),
    },
    aticos: flat("penthouse"),
    duplex: flat("duplex"),
    chalets: is({ typology: "chalet" }, { ...HOUSE, subTypology: "terracedHouse" }),
    "chalets-independientes": chalet("independantHouse"),
    "chalets-pareados": chalet("semidetachedHouse"),
    "chalets-adosados": chalet("terracedHouse"),
    "casas-de-pueblo": is({ typology: "countryHouse" }, { ...HOUSE, subTypology: null }),
    apartamentos: is({ label: "apartamentoType" }),
    villa: is({ label: "villaType" }),
    lofts: is({ label: "loftType" }),
    naves: is({ buildingTypes: "industrialBuilding" }, { subTypology: "industrialPremise" }),
  },
  rooms: {
    estudios: is({ rooms: 0 }),
    "de-un-dormitorio": is({ rooms: 1 }),
    "de-dos-dormitorios": is({ rooms: 2 }),
    "de-tres-dormitorios": is({ rooms: 3 }),
    "de-cuatro-cinco-habitaciones-o-mas": atLeast("rooms", 4),
  },
  bathrooms: {
    "un-bano": is({ bathrooms: 1 }),
    "dos-banos": is({ bathrooms: 2 }),
    "tres-banos-o-mas": atLeast("bathrooms", 3),
  },
  condition: {
    "obra-nueva": is({ condition: "newdevelopment" }),
    "buen-estado": is({ condition: "good" }),
    "para-reformar": is({ condition: "renew" }),
  },
  furnished: {
    amueblado_amueblados: is({ furnished: "furnished" }),
    "amueblado_solo-cocina-equipada": is({ furnished: "furnishedKitchen" }),
  },
  floors: {
    "ultimas-plantas": onFloor("top", "6"),
    "plantas-intermedias": onFloor("middle", "2"),
    "solo-bajos": onFloor("ground", "bj"),
  },
  situation: {
    "sin-inquilinos": is({ situation: "free" }),
    inquilino: is({ situation: "tenanted" }),
    ocupado: is({ situation: "occupied" }),
    "nuda-propiedad": is({ situation: "bareOwnership" }),
  },
  rental: {
    "alquiler-de-larga-temporada": is({ rental: "long" }),
    "alquiler-temporal": is({ rental: "seasonal" }),
  },
  energy: {
    "eficiencia-energetica-alta": is({ energy: "high" }),
    "eficiencia-energetica-media": is({ energy: "medium" }),
    "eficiencia-energetica-baja": is({ energy: "low" }),
  },
  age: {
    "publicado_ultimas-24-horas": publishedWithin(24),
    "publicado_ultimas-48-horas": publishedWithin(48),
    "publicado_ultima-semana": publishedWithin(7 * 24),
    "publicado_ultimo-mes": publishedWithin(30 * 24),
  },
  gender: { sexo_chica: admits("female"), sexo_chico: admits("male") },
  features: {
    ascensor: is({ hasLift: true }),
    exterior: is({ isExterior: true }),
    garaje: is({ hasParking: true }),
    plano: is({ hasPlan: true }),
    terraza: is({ terrance: true }),
    balcon: is({ balcony: true }),
    "balcon-y-terraza": {
      fits: ({ balcony, terrance }) => balcony || terrance,
      change: assign({ balcony: true }),
    },
    jardin: is({ garden: true }),
    piscina: is({ swimmingPool: true }),
    aireacondicionado: is({ airConditioning: true }),
    trastero: is({ storeRoom: true }),
    "armarios-empotrados": is({ builtinWardrobes: true }),
    adaptados: is({ accessible: true }),
    mascotas: is({ petsAllowed: true }),
    "vistas-al-mar": is({ seaViews: true }),
    lujo: is({ label: "luxuryType" }),
    "de-bancos": is({ bankOffer: true }),
    particulares: is({ privateAdvertiser: true }),
    fumadores_no: is({ smokePolicy: "disallowed" }),
  },
} satisfies Record<string, Record<string, Rule>>);
