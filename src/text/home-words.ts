/** Texts about a home, in chats and on pages: title, place, facts, price per m². */
import type { PriceComparison } from "#core/alert/alert.ts";
import { LANGUAGE_TRAITS } from "#core/languages.ts";
import type { ShownCard } from "#core/listing/home-card.ts";
import { homeNameOf } from "#core/listing/home-name.ts";
import { counted, formatArea, formatPercent, formatPricePerM2, titleOf } from "./labels.ts";
import type { Words } from "./namespaces.ts";
import { lineOf } from "./one-line.ts";

/** What the title of a home is made of. */
export type TitledHome = Partial<Pick<ShownCard, "title" | "kind" | "typology" | "subTypology" | "address">>;

/** The known data of a home; null means unknown. */
export type HomeFacts = TitledHome &
  Pick<ShownCard, "kind" | "typology" | "subTypology" | "address"> &
  Pick<ShownCard, "areaM2" | "rooms" | "floor" | "hasLift" | "neighborhood" | "district" | "municipality"> &
  Pick<ShownCard, "pricePerM2Eur"> &
  Partial<Pick<ShownCard, "isPrivate" | "isAuction">> & { readonly comparison: PriceComparison | null };

/** The maximum length of each text of the portal. The shorter ones are for a message that was refused as too long. */
export interface Lengths {
  readonly place: number;
  readonly address: number;
}

export const FULL: Lengths = { place: 80, address: 120 };
export const SHORT: Lengths = { place: 24, address: 40 };

/** "Flat, Calle de Fuencarral"; the stored title if its kind is unknown. */
export function homeLine(listing: TitledHome, { t }: Words<"home">, lengths: Lengths = FULL): string {
  const { kind = null, typology = null, subTypology = null, address = null, title = null } = listing;
  const stored = (kind ?? typology ?? subTypology) === null ? lineOf(title, lengths.address) : null;
  if (stored !== null) return stored;
  return titleOf(t(`types.${homeNameOf({ kind, typology, subTypology })}`), lineOf(address, lengths.address));
}

/** "Trafalgar, Chamberí": the two smallest places that have a name. */
export function placeOf(listing: HomeFacts, lengths: Lengths = FULL): string | null {
  const { neighborhood, district, municipality } = listing;
  const names = [neighborhood, district, municipality].flatMap((name) => lineOf(name, lengths.place) ?? []);
  return [...new Set(names)].slice(0, 2).join(", ") || null;
}

/** "58 m²", "2 bedrooms", "3rd floor, lift": everything except the price, each without line breaks. */
export function factsOf(listing: HomeFacts, words: Words<"home">): string[] {
  const { t, language } = words;
  const floor = [floorOf(listing.floor, words), liftOf(listing, words)].flatMap((word) =>
    word === null ? [] : unbroken(word),
  );
  return [
    listing.isAuction ? t("auction") : null,
    listing.areaM2 === null || listing.areaM2 <= 0 ? null : formatArea(Math.round(listing.areaM2), language),
    bedroomsOf(listing, words),
    floor.join(", ") || null,
    typeof listing.isPrivate === "boolean" ? unbroken(t(listing.isPrivate ? "private" : "agency")) : null,
  ].filter((fact) => fact !== null);
}

function bedroomsOf({ rooms, typology, subTypology }: HomeFacts, { t, language }: Words<"home">) {
  if (rooms === null || typology === "garage") return null;
  if (rooms > 0) return unbroken(t("bedrooms", counted(rooms, language)));
  return typology === "flat" && subTypology !== "studio" ? t("oneRoom") : null;
}

function liftOf({ hasLift, typology }: HomeFacts, { t }: Words<"home">): string | null {
  if (hasLift === null || (!hasLift && typology !== "flat" && typology !== "room")) return null;
  return t(hasLift ? "lift" : "noLift");
}

function floorOf(floor: string | null, { t, language }: Words<"home">): string | null {
  switch (floor) {
    case "bj":
    case "0":
      return t("floors.ground");
    case "en":
      return t("floors.mezzanine");
    case "st":
      return t("floors.basement");
    case "ss":
      return t("floors.semiBasement");
    default: {
      if (floor === null || !/^-?\d{1,3}$/.test(floor)) return null;
      const spanish = Number(floor);
      if (spanish < 0) return t("floors.basement");
      const count = spanish + LANGUAGE_TRAITS[language].floorOffset;
      return t("floor", { count, ordinal: true, spanish });
    }
  }
}

/** "€21.6/m², 9% below the median in Trafalgar (84 homes seen)" */
export function pricePerM2Line(
  listing: HomeFacts,
  words: Words<"home">,
  lengths: Lengths = FULL,
): string | null {
  const { pricePerM2Eur, comparison } = listing;
  if (pricePerM2Eur === null || !(pricePerM2Eur > 0)) return null;
  const price = formatPricePerM2(pricePerM2Eur, words.language);
  const place = lineOf(comparison?.place ?? null, lengths.place);
  if (comparison === null || place === null) return price;
  return `${price}, ${comparisonWords({ ...comparison, place }, words)}`;
}

/** "9% below the median in Trafalgar (84 homes seen)" */
export function comparisonWords(
  { percent, samples, place }: PriceComparison,
  { t, language }: Words<"home">,
): string {
  return t(percent < 0 ? "below" : percent > 0 ? "above" : "level", {
    ...counted(samples, language),
    percent: formatPercent(Math.abs(percent), language),
    place,
  });
}

function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}
