/** A search as one natural sentence: "Flats to rent in Chamberí, Madrid, up to €1,500, with a lift". */
import type { Language } from "#core/languages.ts";
import { islandNamed, islandOfPath } from "#core/places/catalogue/islands.ts";
import { REGIONS } from "#core/places/catalogue/towns.ts";
import { nameOfSlug } from "#core/places/known-names.ts";
import { pathLabel, placeLabel } from "#core/places/place-label.ts";
import type { HomeType, Search, Where } from "#core/search/search.ts";
import { capitalised, counted, formatList } from "./labels.ts";
import type { Words } from "./namespaces.ts";

/**
 * A wish with this prefix in `search.json` follows the language's "with", which several wishes share ("with a lift and a
 * terrace"). Other wishes are separated by commas. All are worded so that no gender agreement is needed.
 */
const AFTER_WITH = "… ";

/** The parts of a search that are worded the same alone and in a sentence. */
export interface PlainParts {
  readonly price: string | null;
  readonly area: string | null;
  readonly bedrooms: string | null;
  readonly bathrooms: string | null;
}

export function searchSentence(search: Search, parts: PlainParts, words: Words<"search">): string {
  const { t, language } = words;
  const or = (texts: readonly string[]) =>
    texts.length === 0 ? null : formatList(texts, language, "disjunction");
  const isStudio = search.bedrooms.includes(0);
  const rooms = [isOnlyStudios(search) ? null : parts.bedrooms, parts.bathrooms]
    .filter((text) => text !== null)
    .map((text) => (isStudio ? text : t("sentence.rooms", { rooms: text })));
  const wishes = [
    ...rooms.filter(isAfterWith),
    ...(search.furnishing ? [t(`sentence.furnishings.${search.furnishing}`)] : []),
    ...search.features.map((one) => t(`sentence.features.${one}`)),
  ];
  const things = wishes.filter(isAfterWith).map((wish) => wish.slice(AFTER_WITH.length));
  const classes = or(search.energyClasses.map((one) => t(`sentence.energyClasses.${one}`)));
  const clauses = [
    `${subjectOf(search, words)} ${whereClause(search.where, words)}`,
    parts.price,
    parts.area,
    ...rooms.filter((text) => !isAfterWith(text)),
    things.length > 0 ? t("sentence.with", { things: formatList(things, language) }) : null,
    ...wishes.filter((wish) => !isAfterWith(wish)),
    or(search.conditions.map((one) => t(`sentence.conditions.${one}`))),
    or(floorWords(search.floors, words)),
    classes && t("sentence.energy", { classes }),
    or(search.saleSituations.map((one) => t(`sentence.saleSituations.${one}`))),
    or(search.rentalTypes.map((one) => t(`sentence.rentalTypes.${one}`))),
    or(search.admits.map((one) => t(`sentence.admits.${one}`))),
    or(search.flatmates.map((one) => t(`sentence.flatmates.${one}`))),
    search.publishedWithin && t(`sentence.publishedWithin.${search.publishedWithin}`),
    unknownClause(search.unknownTokens, words),
  ];
  return capitalised(clauses.filter(Boolean).join(", "));
}

function isAfterWith(wish: string): boolean {
  return wish.startsWith(AFTER_WITH);
}

/** A search for studios alone names them as its subject: "Studios to rent in Madrid". */
function isOnlyStudios({ kind, bedrooms, homeTypes }: Search): boolean {
  return kind === "homes" && homeTypes.length === 0 && bedrooms.length === 1 && bedrooms[0] === 0;
}

/** "on a middle or the top floor": the two share one noun. */
function floorWords(floors: Search["floors"], { t }: Words<"search">): string[] {
  const isUpper = floors.includes("middle") && floors.includes("top");
  const others = isUpper ? floors.filter((one) => one === "ground") : floors;
  return [
    ...(isUpper ? [t("sentence.floorsMiddleOrTop")] : []),
    ...others.map((one) => t(`sentence.floors.${one}`)),
  ];
}

/** "Flats and houses to rent", "Penthouses in new developments for sale", "Business transfers". */
function subjectOf(search: Search, { t, language }: Words<"search">): string {
  const types = [...new Set(search.homeTypes.flatMap((type) => [...plainTypes(type)]))];
  const narrower = [
    ...types.flatMap((one) => {
      if (one === "penthouse" && types.includes("plain-flat")) return t("penthousesAmongFlats");
      // Spanish has two words for houses, which must not be joined twice: "casas, chalets y áticos".
      if (one === "house" && types.length > 1) return t("housesAmongOthers").split("|");
      return t(`homeTypes.${one}`);
    }),
    ...search.landClasses.map((one) => t(`landClasses.${one}`)),
  ];
  const kind = isOnlyStudios(search) ? t("studios") : t(`kinds.${search.kind}`);
  const noun = narrower.length > 0 ? formatList(narrower, language) : kind;
  const isNewHomes = types.length > 0 && search.kind === "new-developments";
  const homes = isNewHomes ? t("sentence.inNewDevelopments", { homes: noun }) : noun;
  return search.kind === "transfers" ? homes : t(`sentence.operations.${search.operation}`, { homes });
}

/** The portal's "flats" include three types, which must not be named twice. */
function plainTypes(type: HomeType): readonly HomeType[] {
  return type === "flat" ? ["plain-flat", "penthouse", "duplex"] : [type];
}

function whereClause(where: Where, words: Words<"search">): string {
  const { t, language } = words;
  switch (where.type) {
    case "place": {
      const { name: place, level } = placeLabel(where.placeId);
      const key = level === "province" ? "inProvince" : level === "comarca" ? "inComarca" : "inPlace";
      return withElision(t(`sentence.${key}`, { place }), place, language);
    }
    case "unlisted-place": {
      const place = pathLabel(where.path);
      return t(islandOfPath(where.path) ? "sentence.onIsland" : "sentence.inPlace", { place });
    }
    case "drawn": {
      const count = where.rings.length;
      return count === 1 ? t("sentence.oneInDrawn") : t("sentence.inDrawn", counted(count, language));
    }
    case "zones": {
      const count = where.codes.length;
      return count === 1 ? t("sentence.oneInZones") : t("sentence.inZones", counted(count, language));
    }
    case "point-of-interest":
      return pointClause(where.slug, words);
    case "text": {
      const text = t("sentence.withText", { text: t("quoted", { words: plainText(where.text) }) });
      const place = pathLabel(where.path);
      return where.path.length > 0 ? `${text} ${t("sentence.inPlace", { place })}` : text;
    }
  }
}

function pointClause(slug: string, { t, language }: Words<"search">): string {
  const code = postCodeOf(slug);
  if (code !== undefined) return t("sentence.inPostCode", { code });
  const place = nameOfSlug(slug);
  if (REGIONS.includes(place)) return t(`sentence.inRegion.${place}` as "sentence.inRegion.Madrid");
  if (islandNamed(place)) return t("sentence.onIsland", { place });
  if (place.startsWith("Costa ")) return t("sentence.onCoast", { place });
  return withElision(t("sentence.nearPoint", { place }), place, language);
}

/** "28002" of codigo-postal-28002, or of the bare number. */
export function postCodeOf(slug: string): string | undefined {
  return /^(?:codigo-postal-|cp-?)?(\d{5})$/.exec(slug)?.[1];
}

/** Free text from the portal's search box, on one line. */
export function plainText(text: string): string {
  return text.replaceAll("_", " ").replace(/\s+/g, " ").trim();
}

function unknownClause(tokens: readonly string[], { t, language }: Words<"search">): string | null {
  if (tokens.length === 0) return null;
  const quoted = tokens.map((token) => t("quoted", { words: token }));
  const key = tokens.length === 1 ? "sentence.unknownWord" : "sentence.unknownWords";
  return t(key, { words: formatList(quoted, language) });
}

/** French shortens "de" before a vowel: "province d’Alicante". */
export function withElision(text: string, name: string, language: Language): string {
  return language === "fr" && /^[aeiouáéíóúàèò]/i.test(name)
    ? text.replace(`de ${name}`, () => `d’${name}`)
    : text;
}
