import type { Advert, Traits } from "../market/advert.ts";
import { isHouse } from "../market/advert.ts";
import type { Random } from "../market/random.ts";

/** One filter word of a search URL: whether an advert fits it, and how to make one fit. */
export interface Wish {
  /** Wishes of one group are alternatives; groups must all hold. */
  readonly group: string;
  readonly token: string;
  fits(advert: Advert, now: number): boolean;
  grant(advert: Advert, random: Random): void;
}

type Deed = Pick<Wish, "fits" | "grant">;

/** Reads one word of `con-…`; undefined for a word the site's form does not have. */
export function wishOf(token: string): Wish | undefined {
  const limited = limitOf(token);
  if (limited !== undefined) {
    return { group: token.replace(/_.*/, ""), token, ...limited };
  }
  const grouped = GROUPED.find(([, wishes]) => token in wishes);
  const deed = grouped?.[1][token];
  return grouped === undefined || deed === undefined
    ? undefined
    : { group: grouped[0] === "features" ? token : grouped[0], token, ...deed };
}

const HOUR_MS = 3_600_000;

function limitOf(token: string): Deed | undefined {
  const [, word, digits] = /^([a-z-]+)_(\d{1,9})$/.exec(token) ?? [];
  const limit = Number(digits);
  switch (word) {
    case "precio-hasta":
      return {
        fits: (advert) => advert.priceEur <= limit,
        grant: (advert, random) => setPrice(advert, roundedBelow(limit * random.between(0.85, 1))),
      };
    case "precio-desde":
      return {
        fits: (advert) => advert.priceEur >= limit,
        grant: (advert) => setPrice(advert, Math.max(advert.priceEur, limit)),
      };
    case "metros-cuadrados-mas-de":
      return {
        fits: (advert) => (advert.sizeM2 ?? 0) >= limit,
        grant: (advert) => Object.assign(advert, { sizeM2: Math.max(advert.sizeM2 ?? 0, limit) }),
      };
    case "metros-cuadrados-menos-de":
      return {
        fits: (advert) => advert.sizeM2 !== null && advert.sizeM2 <= limit,
        grant: (advert) => Object.assign(advert, { sizeM2: Math.min(advert.sizeM2 ?? limit, limit) }),
      };
    default:
      return undefined;
  }
}

function roundedBelow(value: number): number {
  const step = value > 50_000 ? 1000 : 10;
  return value < step ? Math.floor(value) : Math.floor(value / step) * step;
}

function setPrice(advert: Advert, priceEur: number): void {
  advert.priceEur = priceEur;
}

function become(typology: string, subTypology: string | null): Deed {
  return {
    fits: (advert) =>
      advert.typology === typology && (subTypology === null || advert.subTypology === subTypology),
    grant: (advert) => {
      advert.typology = typology;
      advert.subTypology = subTypology;
      if (typology === "flat") {
        advert.floor ??= "2";
        advert.hasLift ??= true;
      } else {
        Object.assign(advert, { floor: null, hasLift: null, isExterior: null });
      }
    },
  };
}

function plainFlat(): Deed {
  const named = ["penthouse", "duplex"];
  return {
    fits: (advert) => advert.typology === "flat" && !named.includes(advert.subTypology ?? ""),
    grant: become("flat", null).grant,
  };
}

function labelled(name: string, text: string): Deed {
  return {
    fits: (advert) => advert.label?.name === name,
    grant: (advert) => Object.assign(advert, { label: { name, text } }),
  };
}

function count(field: "rooms" | "bathrooms", wanted: number, isOrMore = false): Deed {
  return {
    fits: (advert) => (isOrMore ? (advert[field] ?? -1) >= wanted : advert[field] === wanted),
    grant: (advert) => Object.assign(advert, { [field]: wanted }),
  };
}

function own<K extends keyof Advert>(field: K, value: Advert[K]): Deed {
  return {
    fits: (advert) => advert[field] === value,
    grant: (advert) => Object.assign(advert, { [field]: value }),
  };
}

function trait<K extends keyof Traits>(name: K, value: Traits[K]): Deed {
  return {
    fits: (advert) => advert.traits[name] === value,
    grant: (advert) => Object.assign(advert.traits, { [name]: value }),
  };
}

function admits(gender: "male" | "female"): Deed {
  return {
    fits: (advert) => advert.traits.gender === "mixed" || advert.traits.gender === gender,
    grant: (advert) => Object.assign(advert.traits, { gender }),
  };
}

function fresh(hours: number): Deed {
  return { fits: (advert, now) => advert.publishedAt >= now - hours * HOUR_MS, grant: () => undefined };
}

const LOW_FLOORS = ["bj", "en", "ss", "st", "-1"];

function floorBand(band: "top" | "middle" | "ground"): Deed {
  const bandOf = (advert: Advert) => {
    if (isHouse(advert) || advert.floor === null) {
      return "none";
    }
    if (LOW_FLOORS.includes(advert.floor)) {
      return "ground";
    }
    return Number(advert.floor) >= advert.buildingFloors ? "top" : "middle";
  };
  return {
    fits: (advert) => bandOf(advert) === band,
    grant: (advert) => {
      advert.floor = band === "ground" ? "bj" : "2";
      advert.buildingFloors = band === "top" ? 2 : 6;
    },
  };
}

const GROUPED: readonly (readonly [string, Readonly<Record<string, Deed>>])[] = [
  [
    "types",
    {
      pisos: become("flat", null),
      "solo-pisos": plainFlat(),
      aticos: become("flat", "penthouse"),
      duplex: become("flat", "duplex"),
      chalets: become("chalet", null),
      "chalets-independientes": become("chalet", "independantHouse"),
      "chalets-pareados": become("chalet", "semidetachedHouse"),
      "chalets-adosados": become("chalet", "terracedHouse"),
      "casas-de-pueblo": become("countryHouse", null),
      apartamentos: labelled("apartamentoType", "Apartamento"),
      villa: labelled("villaType", "Villa"),
      lofts: labelled("loftType", "Loft"),
      naves: trait("buildingTypes", "industrialBuilding"),
    },
  ],
  [
    "rooms",
    {
      estudios: count("rooms", 0),
      "de-un-dormitorio": count("rooms", 1),
      "de-dos-dormitorios": count("rooms", 2),
      "de-tres-dormitorios": count("rooms", 3),
      "de-cuatro-cinco-habitaciones-o-mas": count("rooms", 4, true),
    },
  ],
  [
    "bathrooms",
    {
      "un-bano": count("bathrooms", 1),
      "dos-banos": count("bathrooms", 2),
      "tres-banos-o-mas": count("bathrooms", 3, true),
    },
  ],
  [
    "condition",
    {
      "obra-nueva": own("condition", "newdevelopment"),
      "buen-estado": own("condition", "good"),
      "para-reformar": own("condition", "renew"),
    },
  ],
  [
    "furnished",
    {
      amueblado_amueblados: trait("furnished", "furnished"),
      "amueblado_solo-cocina-equipada": trait("furnished", "furnishedKitchen"),
    },
  ],
  [
    "floors",
    {
      "ultimas-plantas": floorBand("top"),
      "plantas-intermedias": floorBand("middle"),
      "solo-bajos": floorBand("ground"),
    },
  ],
  [
    "situation",
    {
      "sin-inquilinos": trait("situation", "free"),
      inquilino: trait("situation", "tenanted"),
      ocupado: trait("situation", "occupied"),
      "nuda-propiedad": trait("situation", "bareOwnership"),
    },
  ],
  [
    "rental",
    {
      "alquiler-de-larga-temporada": trait("rental", "long"),
      "alquiler-temporal": trait("rental", "seasonal"),
    },
  ],
  [
    "energy",
    {
      "eficiencia-energetica-alta": trait("energy", "high"),
      "eficiencia-energetica-media": trait("energy", "medium"),
      "eficiencia-energetica-baja": trait("energy", "low"),
    },
  ],
  [
    "age",
    {
      "publicado_ultimas-24-horas": fresh(24),
      "publicado_ultimas-48-horas": fresh(48),
      "publicado_ultima-semana": fresh(7 * 24),
      "publicado_ultimo-mes": fresh(30 * 24),
    },
  ],
  ["gender", { sexo_chica: admits("female"), sexo_chico: admits("male") }],
  [
    "features",
    {
      ascensor: own("hasLift", true),
      exterior: own("isExterior", true),
      garaje: {
        fits: (advert) => advert.parking !== null,
        grant: (advert) => Object.assign(advert, { parking: { isIncluded: true, priceEur: null } }),
      },
      plano: own("hasPlan", true),
      terraza: trait("terrance", true),
      balcon: trait("balcony", true),
      "balcon-y-terraza": {
        fits: (advert) => advert.traits.balcony || advert.traits.terrance,
        grant: trait("balcony", true).grant,
      },
      jardin: trait("garden", true),
      piscina: trait("swimmingPool", true),
      aireacondicionado: trait("airConditioning", true),
      trastero: trait("storeRoom", true),
      "armarios-empotrados": trait("builtinWardrobes", true),
      adaptados: trait("accessible", true),
      mascotas: trait("petsAllowed", true),
      "vistas-al-mar": trait("seaViews", true),
      lujo: labelled("luxuryType", "Lujo"),
      "de-bancos": trait("bankOffer", true),
      particulares: trait("privateAdvertiser", true),
      fumadores_no: trait("smokePolicy", "disallowed"),
    },
  ],
];
