import { type AlertListing, isReadvertised } from "#core/alert/alert.ts";
import { ALERT_KINDS } from "#core/alert/alert-kinds.ts";
import { escapeHtml } from "#core/escape-html.ts";
import type { DistanceTo } from "#core/finds/distance.ts";
import type { Language } from "#core/languages.ts";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { distanceWords } from "#text/distance-words.ts";
import { goneWords } from "#text/gone-words.ts";
import { factsOf, homeLine, type Lengths, placeOf, pricePerM2Line, SHORT } from "#text/home-words.ts";
import { formatList, formatPercent, formatPrice } from "#text/labels.ts";
import { timeOfDay } from "#text/moments.ts";
import { lineOf } from "#text/one-line.ts";
import { wordsOf } from "#text/translator.ts";
import { warningName, warningWords } from "#text/warning-words.ts";
import { bold, linked, struck } from "../../html.ts";
import type { SearchNews } from "../channel.ts";
import { alertTexts } from "./alert-texts.ts";

export type ListingNews = Extract<SearchNews, { payload: { listing: AlertListing } }>;

export function isAboutListing(news: SearchNews): news is ListingNews {
  return ALERT_KINDS[news.kind].isAboutListing;
}

const MARKS = {
  new: "🏮",
  "price-drop": "📉",
  back: "🔄",
  readvertised: "♻️",
  gone: "🚪",
  kept: "⭐",
} as const;

/** The non-breaking space keeps a dot from starting a line. */
const DOT = "\u00a0· ";

export interface ListingOptions {
  readonly language: Language;
  readonly lengths: Lengths;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Always the same lines in the same order, so that alerts can be read at a glance. */
export function renderListing(news: ListingNews, { language, lengths, onError }: ListingOptions): string {
  const { listing } = news.payload;
  if (hiddenOf(news) !== undefined) return hiddenLine(listing, language, lengths);
  const words = wordsOf("home", language);
  const perM2 = isOver(news) ? null : pricePerM2Line(listing, words, lengths);
  return [
    `${markOf(news)} ${bold(titleOf(news, language, lengths))}`,
    linked(homeLine(listing, words, lengths), advertUrlIn(listing.url, language)),
    factLine(news, language),
    ...(perM2 === null ? [] : [escapeHtml(perM2)]),
    ...ownLinesOrNone(news, { language, lengths, onError }).map(escapeHtml),
    ...mailedLine(news, language),
  ].join("\n");
}

/** "✉️ Mailed at 14:20" */
function mailedLine({ mailedMs = null }: SearchNews, language: Language): string[] {
  if (mailedMs === null) return [];
  return [`✉️ ${escapeHtml(alertTexts(language)("mailedAt", { time: timeOfDay(mailedMs, language) }))}`];
}

/** The home has ended: the news itself, or what has become of an offer. */
export function isOver({ kind, ended = null }: SearchNews): boolean {
  return kind === "gone" || ended !== null;
}

function headlineOf(news: ListingNews): keyof typeof MARKS {
  return isReadvertised(news) ? "readvertised" : news.kind;
}

function markOf(news: ListingNews): string {
  return isOver(news) ? MARKS.gone : MARKS[headlineOf(news)];
}

function hiddenLine(listing: AlertListing, language: Language, lengths: Lengths): string {
  const home = linked(
    homeLine(listing, wordsOf("home", language), lengths),
    advertUrlIn(listing.url, language),
  );
  return `🙈 ${escapeHtml(alertTexts(language)("hidden"))} ${home}`;
}

/** The listing if the user has hidden it. It is then shortened to one line. */
export function hiddenOf({ payload, own }: SearchNews): AlertListing | undefined {
  return "listing" in payload && own?.mark === "hidden" ? payload.listing : undefined;
}

/** An error in the optional lines must not stop an alert. */
function ownLinesOrNone(news: ListingNews, { language, lengths, onError }: ListingOptions): string[] {
  try {
    return ownLines(news, language, lengths);
  } catch (error) {
    onError?.(error);
    return [];
  }
}

/** Distances, warnings and the user's note. */
function ownLines(news: ListingNews, language: Language, lengths: Lengths): string[] {
  if (news.own === undefined || news.kind === "gone") return [];
  const { note } = news.own;
  // What helps to decide on an offer is left out once it is over.
  const { distances, warnings } = isOver(news) ? { distances: [], warnings: [] } : news.own;
  const words = wordsOf("home", language);
  const far = distances.map((distance) => distanceWords(shortened(distance, lengths), words));
  const hasZone = news.payload.listing.comparison !== null;
  const seen = warnings.slice(0, WARNINGS_AT_MOST).map((warning) =>
    // The comparison with the zone is already in the line above.
    (warning.kind === "far-below-zone" && hasZone) || lengths === SHORT
      ? warningName(warning.kind, words)
      : warningWords(warning, words),
  );
  const noted = lineOf(note, 2 * lengths.address);
  return [
    ...(far.length === 0 ? [] : [`📍 ${far.join(DOT)}`]),
    ...(seen.length === 0 ? [] : [`👀 ${alertTexts(language)("doubleCheck", { warnings: seen.join(DOT) })}`]),
    ...(noted === null ? [] : [`📝 ${noted}`]),
  ];
}

const WARNINGS_AT_MOST = 3;

function shortened(distance: DistanceTo, lengths: Lengths): DistanceTo {
  return { ...distance, name: lineOf(distance.name, lengths.place) ?? "?" };
}

/** Two lines for a summary, or one for a hidden listing. */
export function renderListingBriefly(news: ListingNews, language: Language, lengths: Lengths): string {
  const { listing } = news.payload;
  if (hiddenOf(news) !== undefined) return hiddenLine(listing, language, lengths);
  const place = placeOf(listing, lengths);
  const line = homeLine(listing, wordsOf("home", language), lengths);
  const home = `${markOf(news)} ${linked(line, advertUrlIn(listing.url, language))}`;
  const end = endWords(news, language);
  const facts = [
    ...(end === null ? [] : [bold(end)]),
    factLine(news, language),
    ...(place === null ? [] : [escapeHtml(place)]),
  ];
  return [home, facts.join(DOT), ...mailedLine(news, language)].join("\n");
}

/** One line, for the first listings of a new search. */
export function renderListingInALine(listing: AlertListing, language: Language, lengths: Lengths): string {
  const words = wordsOf("home", language);
  const home = linked(homeLine(listing, words, lengths), advertUrlIn(listing.url, language));
  const [firstFact] = factsOf(listing, words);
  const facts = [
    bold(formatPrice(listing.priceEur, language)),
    ...(firstFact ? [escapeHtml(firstFact)] : []),
  ];
  return [home, ...facts].join(DOT);
}

/** "Gone after 30 minutes" */
function endWords({ kind, ended = null }: ListingNews, language: Language): string | null {
  if (ended === null || kind === "gone") return null;
  return goneWords(ended.foundMs, ended.goneMs, wordsOf("home", language));
}

function titleOf(news: ListingNews, language: Language, lengths: Lengths): string {
  const { kind, payload } = news;
  const place = placeOf(payload.listing, lengths);
  const end = endWords(news, language);
  if (end !== null) return place === null ? end : `${end}${DOT}${place}`;
  const { t } = wordsOf("home", language);
  if (kind === "kept") return keptTitle(news, place, language);
  const headline = headlineOf(news);
  return place === null ? t(`alerts.${headline}.title`) : t(`alerts.${headline}.titleIn`, { place });
}

/** "Kept by Ana · Trafalgar", or "Kept · Trafalgar" if the chat may read no name any more. */
function keptTitle(
  { payload, people = [] }: Extract<ListingNews, { kind: "kept" }>,
  place: string | null,
  language: Language,
): string {
  const { t } = wordsOf("home", language);
  const keepers = people.flatMap((keeper) => lineOf(keeper, LONGEST_KEEPER) ?? []);
  if (keepers.length === 0) return [t("alerts.kept.label"), place ?? []].flat().join(DOT);
  const names = formatList(keepers, language);
  const key = payload.isByTwo && keepers.length === 2 ? "both" : "title";
  return place === null ? t(`alerts.kept.${key}`, { names }) : t(`alerts.kept.${key}In`, { names, place });
}

const LONGEST_KEEPER = 40;

/** "€1,250 · 58 m² · 2 bedrooms · 3rd floor, lift". The price includes its change. */
function factLine(news: ListingNews, language: Language): string {
  const facts = factsOf(news.payload.listing, wordsOf("home", language));
  return [priceOf(news, language), ...facts.map(escapeHtml)].join(DOT);
}

/** An alert whose facts state a former price shows it, whatever its kind. */
function priceOf(news: ListingNews, language: Language): string {
  const { listing } = news.payload;
  const price = bold(formatPrice(listing.priceEur, language));
  if (isOver(news)) return struck(formatPrice(listing.priceEur, language));
  const { formerPriceEur = listing.priceEur, dropPercent } = news.payload as {
    readonly formerPriceEur?: number;
    readonly dropPercent?: number;
  };
  if (formerPriceEur === listing.priceEur) return price;
  const change = `${struck(formatPrice(formerPriceEur, language))}\u00a0→ ${price}`;
  return dropPercent === undefined ? change : `${change}\u00a0(−${formatPercent(dropPercent, language)})`;
}
