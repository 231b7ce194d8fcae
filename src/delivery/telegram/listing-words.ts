import type { AlertListing } from "#core/alert/alert.ts";
import type { Language } from "#core/languages.ts";
import type { Kind } from "#core/search/search.ts";
import { formatArea, formatPrice } from "#text/labels.ts";
import { type AlertTexts, alertTexts } from "./alert-texts.ts";
import { lineOf } from "./html.ts";

/** How long each of the portal's words may be; the shorter ones are for a message that was refused as too long. */
export interface Lengths {
  readonly place: number;
  readonly address: number;
}

export const FULL: Lengths = { place: 80, address: 120 };
export const SHORT: Lengths = { place: 24, address: 40 };

type TypeKey = Parameters<AlertTexts>[0] & `type${string}`;

const BY_SUB_TYPOLOGY: Readonly<Record<string, TypeKey>> = {
  penthouse: "typePenthouse",
  duplex: "typeDuplex",
  studio: "typeStudio",
  independantHouse: "typeDetachedHouse",
  semidetachedHouse: "typeSemiDetachedHouse",
  terracedHouse: "typeTerracedHouse",
  industrialPremise: "typeIndustrialUnit",
};
const BY_TYPOLOGY: Readonly<Record<string, TypeKey>> = {
  flat: "typeFlat",
  chalet: "typeHouse",
  countryHouse: "typeCountryHouse",
  room: "typeRoom",
  garage: "typeGarage",
  office: "typeOffice",
  premise: "typePremises",
};
const BY_KIND: Readonly<Record<Kind, TypeKey>> = {
  homes: "typeHome",
  rooms: "typeRoom",
  offices: "typeOffice",
  premises: "typePremises",
  garages: "typeGarage",
  "new-developments": "typeNewDevelopment",
  land: "typeLand",
  "storage-rooms": "typeStorageRoom",
  buildings: "typeBuilding",
  transfers: "typeTransfer",
};

/** "Flat, Calle de Fuencarral" */
export function homeLine(listing: AlertListing, language: Language, lengths: Lengths): string {
  const type = alertTexts(language)(typeOf(listing));
  const address = lineOf(listing.address, lengths.address);
  return address === null ? type : `${type}, ${capitalised(address)}`;
}

function typeOf({ subTypology, typology, kind }: AlertListing): TypeKey {
  const known = Object.hasOwn(BY_SUB_TYPOLOGY, subTypology ?? "")
    ? BY_SUB_TYPOLOGY[subTypology ?? ""]
    : undefined;
  return known ?? (Object.hasOwn(BY_TYPOLOGY, typology) ? BY_TYPOLOGY[typology] : undefined) ?? BY_KIND[kind];
}

/** "Trafalgar, Chamberí": the two smallest places that have a name. */
export function placeOf(listing: AlertListing, lengths: Lengths): string | null {
  const { neighborhood, district, municipality } = listing;
  const names = [neighborhood, district, municipality].flatMap((name) => lineOf(name, lengths.place) ?? []);
  return [...new Set(names)].slice(0, 2).join(", ") || null;
}

/** "58 m²", "2 bedrooms", "3rd floor, lift": what there is to say beside the price, each holding together. */
export function factsOf(listing: AlertListing, language: Language): string[] {
  const texts = alertTexts(language);
  const floor = [floorOf(listing.floor, language), liftOf(listing, texts)].flatMap((word) =>
    word === null ? [] : unbroken(word),
  );
  return [
    listing.isAuction ? texts("auction") : null,
    listing.areaM2 === null || listing.areaM2 <= 0 ? null : formatArea(Math.round(listing.areaM2), language),
    bedroomsOf(listing, texts),
    floor.join(", ") || null,
    typeof listing.isPrivate === "boolean" ? unbroken(texts(listing.isPrivate ? "private" : "agency")) : null,
  ].filter((fact) => fact !== null);
}

function bedroomsOf({ rooms, typology, subTypology }: AlertListing, texts: AlertTexts): string | null {
  if (rooms === null || typology === "garage") return null;
  if (rooms > 0) return unbroken(texts("bedrooms", { count: rooms }));
  return typology === "flat" && subTypology !== "studio" ? texts("studio") : null;
}

function liftOf({ hasLift, typology }: AlertListing, texts: AlertTexts): string | null {
  if (hasLift === null || (!hasLift && typology !== "flat" && typology !== "room")) return null;
  return texts(hasLift ? "lift" : "noLift");
}

function floorOf(floor: string | null, language: Language): string | null {
  const texts = alertTexts(language);
  switch (floor) {
    case "bj":
    case "0":
      return texts("floorGround");
    case "en":
      return texts("floorMezzanine");
    case "st":
      return texts("floorBasement");
    case "ss":
      return texts("floorSemiBasement");
    default:
      if (floor === null || !/^-?\d{1,3}$/.test(floor)) return null;
      return Number(floor) < 0
        ? texts("floorBasement")
        : texts("floor", { nth: nth(Number(floor), language) });
  }
}

const ENGLISH_ENDINGS: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = {
  one: "st",
  two: "nd",
  few: "rd",
};
const englishOrdinals = new Intl.PluralRules("en", { type: "ordinal" });

/** A floor's number; planta and the like are feminine, étage and этаж masculine. */
function nth(count: number, language: Language): string {
  switch (language) {
    case "en":
      return `${count}${ENGLISH_ENDINGS[englishOrdinals.select(count)] ?? "th"}`;
    case "es":
      return `${count}.ª`;
    case "ru":
      return `${count}\u2011й`;
    case "de":
      return `${count}.`;
    case "fr":
      return count === 1 ? "1er" : `${count}e`;
  }
}

/** "€21.6/m², 9% below what Sereno saw in Trafalgar (84 listings)" */
export function pricePerM2Line(listing: AlertListing, language: Language, lengths: Lengths): string | null {
  const { pricePerM2Eur, comparison } = listing;
  if (pricePerM2Eur === null || !(pricePerM2Eur > 0)) return null;
  const price = `${formatPricePerM2(pricePerM2Eur, language)}/${language === "ru" ? "м²" : "m²"}`;
  const place = lineOf(comparison?.place ?? null, lengths.place);
  if (comparison === null || place === null) return price;
  const key = comparison.percent < 0 ? "below" : comparison.percent > 0 ? "above" : "level";
  const percent = formatPercent(Math.abs(comparison.percent), language);
  return `${price}, ${alertTexts(language)(key, { percent, place, count: comparison.samples })}`;
}

export function formatPercent(percent: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: "percent" }).format(percent / 100);
}

/** Cents matter to nobody, and tenths only where the figure is small. */
function formatPricePerM2(priceEur: number, language: Language): string {
  if (priceEur >= 100) return formatPrice(Math.round(priceEur), language);
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency: "EUR",
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  }).format(priceEur);
}

function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
