/** The portal's words in search paths and their meaning. No other file in core spells them. */
import type { Feature, Kind, Operation, Search } from "../search.ts";
import {
  BATHROOMS,
  BEDROOMS,
  CONDITIONS,
  ENERGY_CLASSES,
  FEATURES,
  FLATMATES,
  FLOOR_BANDS,
  FURNISHINGS,
  HOME_TYPES,
  LAND_CLASSES,
  PUBLISHED_WITHIN,
  RENTAL_TYPES,
  SALE_SITUATIONS,
  TENANTS,
} from "../search.ts";

export const PORTAL_HOST = "www.idealista.com";
export const NEWEST_FIRST = { parameter: "ordenado-por", value: "fecha-publicacion-desc" } as const;
export const NEWEST_FIRST_QUERY = `${NEWEST_FIRST.parameter}=${NEWEST_FIRST.value}`;
export const FILTER_PREFIX = "con-";

/** Language prefixes of the Spanish site. The words of search paths stay Spanish. */
export const PORTAL_LANGUAGES = [
  ..."ca da de el en es fi fr it nl no pl pt ro ru sv uk zh".split(" "),
] as readonly string[];

export const CATEGORIES: readonly (readonly [word: string, operation: Operation, kind: Kind])[] = [
  ["venta-viviendas", "sale", "homes"],
  ["alquiler-viviendas", "rent", "homes"],
  ["alquiler-habitacion", "rent", "rooms"],
  ["venta-oficinas", "sale", "offices"],
  ["alquiler-oficinas", "rent", "offices"],
  ["venta-locales", "sale", "premises"],
  ["alquiler-locales", "rent", "premises"],
  ["venta-garajes", "sale", "garages"],
  ["alquiler-garajes", "rent", "garages"],
  ["venta-obranueva", "sale", "new-developments"],
  ["alquiler-obranueva", "rent", "new-developments"],
  ["venta-terrenos", "sale", "land"],
  ["alquiler-terrenos", "rent", "land"],
  ["venta-trasteros", "sale", "storage-rooms"],
  ["alquiler-trasteros", "rent", "storage-rooms"],
  ["venta-edificios", "sale", "buildings"],
  ["alquiler-edificios", "rent", "buildings"],
  ["traspasos", "sale", "transfers"],
];

/** Limits of the form word_number, in the portal's order. */
export const LIMIT_WORDS = [
  ["precio-hasta", "maxPriceEur"],
  ["precio-desde", "minPriceEur"],
  ["metros-cuadrados-mas-de", "minAreaM2"],
  ["metros-cuadrados-menos-de", "maxAreaM2"],
] as const;

/** A field of a search with the portal's word for each of its values, in the portal's order. */
export interface WordGroup {
  readonly field: GroupField;
  readonly takesSeveral: boolean;
  readonly values: readonly (string | number)[];
  readonly words: readonly string[];
  readonly kinds: readonly Kind[];
}

export type GroupField = Exclude<
  keyof Search,
  "operation" | "kind" | "where" | "unknownTokens" | (typeof LIMIT_WORDS)[number][1]
>;

const DWELLINGS: readonly Kind[] = ["homes", "new-developments"];
const EVERY_KIND: readonly Kind[] = [...new Set(CATEGORIES.map(([, , kind]) => kind))];

const HOME_TYPE_WORDS =
  "pisos solo-pisos chalets chalets-independientes chalets-pareados chalets-adosados casas-de-pueblo duplex aticos apartamentos villa lofts";
const BEDROOM_WORDS =
  "estudios de-un-dormitorio de-dos-dormitorios de-tres-dormitorios de-cuatro-cinco-habitaciones-o-mas";

const FEATURE_WORDS: Readonly<Record<Feature, string>> = {
  lift: "ascensor",
  exterior: "exterior",
  garage: "garaje",
  terrace: "terraza",
  balcony: "balcon",
  "balcony-or-terrace": "balcon-y-terraza",
  garden: "jardin",
  "swimming-pool": "piscina",
  "air-conditioning": "aireacondicionado",
  "storage-room": "trastero",
  "built-in-wardrobes": "armarios-empotrados",
  accessible: "adaptados",
  luxury: "lujo",
  "sea-views": "vistas-al-mar",
  "pets-allowed": "mascotas",
  "bank-owned": "de-bancos",
  "private-advertiser": "particulares",
  "floor-plan": "plano",
  "non-smoking": "fumadores_no",
  "owner-lives-elsewhere": "pisos-compartido-sin-propietario",
  industrial: "naves",
  hospitality: "restauracion",
  "street-level": "en-planta-calle",
  "property-only": "venta-solo-inmueble",
  hotel: "hotel",
};

const ROOM_FEATURES: readonly Feature[] = ["exterior", "non-smoking", "owner-lives-elsewhere"];
const PREMISES_FEATURES: readonly Feature[] = [
  "air-conditioning",
  "bank-owned",
  "industrial",
  "hospitality",
  "street-level",
  "property-only",
  "hotel",
];
const HOME_FEATURES = FEATURES.slice(0, FEATURES.indexOf("floor-plan") + 1);

/** In the portal's order. */
export const WORD_GROUPS: readonly WordGroup[] = [
  group("homeTypes", HOME_TYPES, HOME_TYPE_WORDS, DWELLINGS),
  group("landClasses", LAND_CLASSES, "terrenos-urbanos terrenos-urbanizables terrenos-no-urbanizables", [
    "land",
  ]),
  group("bedrooms", BEDROOMS, BEDROOM_WORDS, ["homes"]),
  group("bedrooms", [2, 3, 4], "2-dormitorios 3-dormitorios 4-dormitorios", ["new-developments"]),
  group("bathrooms", BATHROOMS, "un-bano dos-banos tres-banos-o-mas", DWELLINGS),
  group("admits", TENANTS, "sexo_chica sexo_chico", ["rooms"]),
  group("flatmates", FLATMATES, "compartidos_con-estudiantes compartidos_con-trabajadores", ["rooms"]),
  choice("furnishing", FURNISHINGS, "amueblado_amueblados amueblado_solo-cocina-equipada", ["homes"]),
  features(HOME_FEATURES, DWELLINGS),
  features(ROOM_FEATURES, ["rooms"]),
  features(["lift", "exterior", "garage", "air-conditioning", "bank-owned"], ["offices"]),
  features(["bank-owned"], ["garages", "land", "storage-rooms", "buildings"]),
  choice(
    "publishedWithin",
    PUBLISHED_WITHIN,
    "publicado_ultimas-24-horas publicado_ultimas-48-horas publicado_ultima-semana publicado_ultimo-mes",
    EVERY_KIND,
  ),
  features(PREMISES_FEATURES, ["premises", "transfers"]),
  group("floors", FLOOR_BANDS, "ultimas-plantas plantas-intermedias solo-bajos", DWELLINGS),
  group("conditions", CONDITIONS, "obra-nueva para-reformar buen-estado", ["homes"]),
  group(
    "energyClasses",
    ENERGY_CLASSES,
    "eficiencia-energetica-alta eficiencia-energetica-media eficiencia-energetica-baja",
    DWELLINGS,
  ),
  group("saleSituations", SALE_SITUATIONS, "sin-inquilinos inquilino ocupado nuda-propiedad", ["homes"]),
  group("rentalTypes", RENTAL_TYPES, "alquiler-de-larga-temporada alquiler-temporal", ["homes"]),
];

export const OLD_WORDS: ReadonlyMap<string, string> = new Map([["estado_buen-estado", "buen-estado"]]);

function group(
  field: GroupField,
  values: readonly (string | number)[],
  words: string,
  kinds: readonly Kind[],
): WordGroup {
  return { field, takesSeveral: true, values, words: words.split(" "), kinds };
}

function choice(
  field: GroupField,
  values: readonly string[],
  words: string,
  kinds: readonly Kind[],
): WordGroup {
  return { ...group(field, values, words, kinds), takesSeveral: false };
}

function features(values: readonly Feature[], kinds: readonly Kind[]): WordGroup {
  return group("features", values, values.map((feature) => FEATURE_WORDS[feature]).join(" "), kinds);
}
