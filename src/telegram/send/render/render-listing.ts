import type { AlertListing } from "#core/alert/alert.ts";
import { ALERT_KINDS } from "#core/alert/alert-kinds.ts";
import { escapeHtml } from "#core/escape-html.ts";
import type { DistanceTo } from "#core/finds/distance.ts";
import type { Language } from "#core/languages.ts";
import { distanceWords } from "#text/distance-words.ts";
import { factsOf, homeLine, type Lengths, placeOf, pricePerM2Line, SHORT } from "#text/home-words.ts";
import { formatPercent, formatPrice } from "#text/labels.ts";
import { lineOf } from "#text/one-line.ts";
import { wordsOf } from "#text/translator.ts";
import { signName, signWords } from "#text/warning-words.ts";
import type { SearchNews } from "../channel.ts";
import { alertTexts } from "./alert-texts.ts";
import { bold, linked, struck } from "./html.ts";

export type ListingNews = Extract<SearchNews, { payload: { listing: AlertListing } }>;

export function isAboutListing(news: SearchNews): news is ListingNews {
  return ALERT_KINDS[news.kind].isAboutListing;
}

const MARKS = { new: "🏮", "price-drop": "📉", back: "🔄", readvertised: "♻️", gone: "🚪" } as const;
const TITLES = {
  new: ["newIn", "newListing"],
  "price-drop": ["priceDropIn", "priceDrop"],
  back: ["backIn", "back"],
  readvertised: ["readvertisedIn", "readvertised"],
  gone: ["goneIn", "gone"],
} as const;

/** A line may break after a dot, and never begins with one. */
const DOT = "\u00a0· ";

/** How long its words may be, and who is told what went wrong beside the facts. */
export interface ListingOptions {
  readonly language: Language;
  readonly lengths: Lengths;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Four lines in the same order every time, so that a person learns to read them in a second. */
export function renderListing(news: ListingNews, { language, lengths, onError }: ListingOptions): string {
  const { listing } = news.payload;
  if (hiddenOf(news) !== undefined) return hiddenLine(listing, language, lengths);
  const words = wordsOf("home", language);
  const perM2 = news.kind === "gone" ? null : pricePerM2Line(listing, words, lengths);
  return [
    `${MARKS[news.kind]} ${bold(titleOf(news, language, lengths))}`,
    linked(homeLine(listing, words, lengths), listing.url),
    factLine(news, language),
    ...(perM2 === null ? [] : [escapeHtml(perM2)]),
    ...ownLinesOrNone(news, { language, lengths, onError }).map(escapeHtml),
  ].join("\n");
}

function hiddenLine(listing: AlertListing, language: Language, lengths: Lengths): string {
  const home = linked(homeLine(listing, wordsOf("home", language), lengths), listing.url);
  return `🙈 ${escapeHtml(alertTexts(language)("hidden"))} ${home}`;
}

/** Sorted away by its person: a line is left of it. */
export function hiddenOf({ payload, own }: SearchNews): AlertListing | undefined {
  return "listing" in payload && own?.mark === "hidden" ? payload.listing : undefined;
}

/** What stands beside the facts must never keep an alert from going out. */
function ownLinesOrNone(news: ListingNews, { language, lengths, onError }: ListingOptions): string[] {
  try {
    return ownLines(news, language, lengths);
  } catch (error) {
    onError?.(error);
    return [];
  }
}

/** How far it is, why to look twice, and what the person noted: two lines more, and the note. */
function ownLines(news: ListingNews, language: Language, lengths: Lengths): string[] {
  if (news.own === undefined || news.kind === "gone") return [];
  const { distances, signs, note } = news.own;
  const words = wordsOf("home", language);
  const far = distances.map((distance) => distanceWords(shortened(distance, lengths), words));
  const hasZone = news.payload.listing.comparison !== null;
  const seen = signs.slice(0, SIGNS_AT_MOST).map((sign) =>
    // The figures stand in the line above.
    (sign.kind === "far-below-zone" && hasZone) || lengths === SHORT
      ? signName(sign.kind, words)
      : signWords(sign, words),
  );
  const noted = lineOf(note, 2 * lengths.address);
  return [
    ...(far.length === 0 ? [] : [`📍 ${far.join(DOT)}`]),
    ...(seen.length === 0 ? [] : [`👀 ${alertTexts(language)("lookTwice", { signs: seen.join(DOT) })}`]),
    ...(noted === null ? [] : [`📝 ${noted}`]),
  ];
}

const SIGNS_AT_MOST = 3;

function shortened(distance: DistanceTo, lengths: Lengths): DistanceTo {
  return { ...distance, name: lineOf(distance.name, lengths.place) ?? "?" };
}

/** Two lines of a summary; one for what is hidden. */
export function renderListingBriefly(news: ListingNews, language: Language, lengths: Lengths): string {
  const { listing } = news.payload;
  if (hiddenOf(news) !== undefined) return hiddenLine(listing, language, lengths);
  const place = placeOf(listing, lengths);
  const line = homeLine(listing, wordsOf("home", language), lengths);
  const home = `${MARKS[news.kind]} ${linked(line, listing.url)}`;
  return [home, [factLine(news, language), ...(place === null ? [] : [escapeHtml(place)])].join(DOT)].join(
    "\n",
  );
}

/** A listing among others of a search that has begun. */
export function renderListingInALine(listing: AlertListing, language: Language, lengths: Lengths): string {
  const words = wordsOf("home", language);
  const home = linked(homeLine(listing, words, lengths), listing.url);
  const [firstFact] = factsOf(listing, words);
  const facts = [
    bold(formatPrice(listing.priceEur, language)),
    ...(firstFact ? [escapeHtml(firstFact)] : []),
  ];
  return [home, ...facts].join(DOT);
}

function titleOf({ kind, payload }: ListingNews, language: Language, lengths: Lengths): string {
  const place = placeOf(payload.listing, lengths);
  const [withPlace, withoutPlace] = TITLES[kind];
  const texts = alertTexts(language);
  return place === null ? texts(withoutPlace) : texts(withPlace, { place });
}

/** "€1,250 · 58 m² · 2 bedrooms · 3rd floor, lift": the price first, and how it moved. */
function factLine(news: ListingNews, language: Language): string {
  const facts = factsOf(news.payload.listing, wordsOf("home", language));
  return [priceOf(news, language), ...facts.map(escapeHtml)].join(DOT);
}

function priceOf(news: ListingNews, language: Language): string {
  const { listing } = news.payload;
  const price = bold(formatPrice(listing.priceEur, language));
  switch (news.kind) {
    case "price-drop": {
      const drop = formatPercent(news.payload.dropPercent, language);
      return `${struck(formatPrice(news.payload.formerPriceEur, language))}\u00a0→ ${price}\u00a0(−${drop})`;
    }
    case "new":
    case "readvertised": {
      const { formerPriceEur = listing.priceEur } = news.payload;
      return formerPriceEur === listing.priceEur
        ? price
        : `${struck(formatPrice(formerPriceEur, language))}\u00a0→ ${price}`;
    }
    case "gone":
      return struck(formatPrice(listing.priceEur, language));
    default:
      return price;
  }
}
