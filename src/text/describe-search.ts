/** Describes a search, as one sentence or as a list of wishes. */
import { type SearchLimit, shownLimitsOf } from "#core/matching/search-limits.ts";
import { nameOfSlug } from "#core/places/known-names.ts";
import { pathLabel, placeLabel } from "#core/places/place-label.ts";
import type { Search, Where } from "#core/search/search.ts";
import { capitalised, counted, formatArea, formatList, formatNumber, formatPrice } from "./labels.ts";
import type { Words } from "./namespaces.ts";
import { plainText, postCodeOf, searchSentence, withElision } from "./search-sentence.ts";

export interface Chip {
  readonly part: keyof Search;
  readonly text: string;
}

export interface DescribedSearch {
  readonly text: string;
  readonly chips: readonly Chip[];
}

export interface DescribedLimit extends SearchLimit {
  readonly text: string;
}

export function describeSearch(search: Search, words: Words<"search">): DescribedSearch {
  const { t, language } = words;
  const price = (eur: number) => formatPrice(eur, language);
  const area = (m2: number) => formatArea(m2, language);
  const or = (texts: readonly string[]) => listed(texts, words);
  const parts = {
    price: rangeText([search.minPriceEur, search.maxPriceEur], price, words),
    area: rangeText([search.minAreaM2, search.maxAreaM2], area, words),
    bedrooms: bedroomsText(search.bedrooms, words),
    bathrooms: countsText("bathrooms", search.bathrooms, words),
  };
  const chips: [keyof Search, string | null][] = [
    ["operation", search.kind === "transfers" ? null : t(`operations.${search.operation}`)],
    ["kind", t(`kinds.${search.kind}`)],
    ["where", whereText(search.where, words)],
    ["maxPriceEur", parts.price],
    ["minAreaM2", parts.area],
    ["bedrooms", parts.bedrooms],
    ["bathrooms", parts.bathrooms],
    ["homeTypes", or(search.homeTypes.map((one) => t(`homeTypes.${one}`)))],
    ["landClasses", or(search.landClasses.map((one) => t(`landClasses.${one}`)))],
    ["conditions", or(search.conditions.map((one) => t(`conditions.${one}`)))],
    ["furnishing", search.furnishing && t(`furnishings.${search.furnishing}`)],
    ...search.features.map((one): [keyof Search, string] => ["features", t(`features.${one}`)]),
    ["floors", or(search.floors.map((one) => t(`floors.${one}`)))],
    ["energyClasses", or(search.energyClasses.map((one) => t(`energyClasses.${one}`)))],
    ["saleSituations", or(search.saleSituations.map((one) => t(`saleSituations.${one}`)))],
    ["rentalTypes", or(search.rentalTypes.map((one) => t(`rentalTypes.${one}`)))],
    ["admits", or(search.admits.map((one) => t(`admits.${one}`)))],
    ["flatmates", or(search.flatmates.map((one) => t(`flatmates.${one}`)))],
    ["publishedWithin", search.publishedWithin && t(`publishedWithin.${search.publishedWithin}`)],
    ...search.unknownTokens.map((token): [keyof Search, string] => [
      "unknownTokens",
      t("quoted", { words: token }),
    ]),
  ];
  const shown = chips.flatMap(([part, text]) => (text ? [{ part, text }] : []));
  return { chips: shown, text: searchSentence(search, parts, words) };
}

/** The default name of a search: its place. */
export function nameSearch(search: Search, words: Words<"search">): string {
  return capitalised(whereText(search.where, words));
}

/** The parts of the search that cannot be decided, each with a sentence. */
export function describeLimits(
  search: Search,
  words: Words<"search">,
  canSearchByUrl = false,
): DescribedLimit[] {
  return shownLimitsOf(search, canSearchByUrl).map((limit) => ({
    ...limit,
    text: words.t(`limits.${limit.code}`, { wish: wishText(limit, search, words) }),
  }));
}

/** The wish of a limit, worded as in its chip. */
function wishText({ part, value }: SearchLimit, search: Search, words: Words<"search">): string {
  if (part === "unknownTokens") return value ?? "";
  const alone = value === undefined ? search : { ...search, [part]: [value] };
  const shownUnder: keyof Search = part === "minPriceEur" ? "maxPriceEur" : part;
  return describeSearch(alone, words).chips.find((chip) => chip.part === shownUnder)?.text ?? "";
}

function whereText(where: Where, { t, language }: Words<"search">): string {
  switch (where.type) {
    case "place": {
      const { name, level } = placeLabel(where.placeId);
      return level === "province" ? withElision(t("province", { place: name }), name, language) : name;
    }
    case "unlisted-place":
      return pathLabel(where.path);
    case "drawn":
      return where.rings.length === 1 ? t("oneDrawn") : t("drawn", counted(where.rings.length, language));
    case "zones":
      return where.codes.length === 1 ? t("oneZones") : t("zones", counted(where.codes.length, language));
    case "point-of-interest": {
      const code = postCodeOf(where.slug);
      return code === undefined ? nameOfSlug(where.slug) : t("postCode", { code });
    }
    case "text": {
      const text = t("quoted", { words: plainText(where.text) });
      return where.path.length > 0 ? `${text}, ${pathLabel(where.path)}` : text;
    }
  }
}

/** The unit is written once where it follows the number: "850 bis 1.200 €", but "€850 to €1,200". */
function rangeText(
  [min, max]: readonly [number | null, number | null],
  format: (value: number) => string,
  { t, language }: Words<"search">,
): string | null {
  if (min !== null && min === max) return format(min);
  if (min !== null && max !== null) {
    const bare = formatNumber(min, language);
    return t("between", { min: format(min).startsWith(bare) ? bare : format(min), max: format(max) });
  }
  if (max !== null) return t("upTo", { limit: format(max) });
  return min === null ? null : t("from", { limit: format(min) });
}

/** "studio, 1 or 2 bedrooms", "studio or 2 or more bedrooms". */
function bedroomsText(bedrooms: readonly number[], words: Words<"search">): string | null {
  const studio = bedrooms.includes(0) ? words.t("studio") : null;
  const counts = bedrooms.filter((count) => count > 0);
  return countsText("bedrooms", counts, words, studio) ?? studio;
}

/** The portal's last option means this many or more. */
const LAST_BOX = { bedrooms: 4, bathrooms: 3 } as const;

/** "1 or 2 bedrooms", "2 or more bedrooms", "1 or 3+ bathrooms". */
function countsText(
  rooms: keyof typeof LAST_BOX,
  counts: readonly number[],
  words: Words<"search">,
  studio: string | null = null,
): string | null {
  const { t, language } = words;
  const [first] = counts;
  const last = counts.at(-1);
  if (first === undefined || last === undefined) return null;
  const isUnbroken = counts.length === last - first + 1;
  const before = studio === null ? [] : [studio];
  if (last === LAST_BOX[rooms] && isUnbroken)
    return listed([...before, t(`${rooms}OrMore`, counted(first, language))], words);
  const texts = counts.map((count) => (count === LAST_BOX[rooms] ? `${count}+` : String(count)));
  return t(rooms, { count: last, counts: listed([...before, ...texts], words) ?? "" });
}

function listed(texts: readonly string[], { language }: Words<"search">): string | null {
  return texts.length === 0 ? null : formatList(texts, language, "disjunction");
}
