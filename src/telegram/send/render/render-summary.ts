import type { AlertNews } from "#core/alert/alert.ts";
import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import { SHORT } from "#text/home-words.ts";
import { bold } from "../../html.ts";
import type { SearchNews } from "../channel.ts";
import { type AlertButton, summaryButtons } from "./alert-buttons.ts";
import { alertTexts, namesLine } from "./alert-texts.ts";
import { hiddenOf, isAboutListing, type ListingNews, renderListingBriefly } from "./render-listing.ts";
import { renderWords } from "./render-words.ts";

interface Summary {
  readonly html: string;
  readonly buttons: readonly (readonly AlertButton[])[];
  readonly includedCount: number;
}

/** Telegram allows 4096 characters. The margin covers differences in counting. */
const LONGEST_TEXT = 4000;
/** Telegram allows a hundred buttons, and each listing has three. */
const LISTINGS_AT_MOST = 32;

/** A home has one row, with its latest news. */
interface SummaryRow {
  readonly news: SearchNews;
  readonly homeId: string | undefined;
}

/** Renders as many news as fit into one message. Each home has two lines and a number, which its buttons repeat. */
export function renderSummary(
  news: readonly SearchNews[],
  options: {
    readonly language: Language;
    readonly isMuted?: boolean | undefined;
    readonly isAtOnce?: boolean | undefined;
  },
): Summary {
  const { language } = options;
  const texts = alertTexts(language);
  let shown = partsOf([], language);
  let includedCount = 0;
  const rows: SummaryRow[] = [];
  for (const one of news) {
    const homeId = homeOf(one);
    const place = homeId === undefined ? -1 : rows.findIndex((row) => row.homeId === homeId);
    const next = place === -1 ? [...rows, { news: one, homeId }] : rows.with(place, { news: one, homeId });
    const parts = partsOf(next, language);
    // Counts markup too, which Telegram does not, so the message is never too long.
    const isTooMuch = parts.numbered.length > LISTINGS_AT_MOST || lengthOf(parts.texts) > LONGEST_TEXT - 200;
    if (rows.length > 0 && isTooMuch) break;
    rows.splice(0, rows.length, ...next);
    shown = parts;
    includedCount += 1;
  }
  const isAtOnce = options.isAtOnce === true || news.some(isOfDigest);
  const count = shown.texts.length;
  const title = `${isAtOnce ? "🏮" : "🌙"} ${bold(texts(isAtOnce ? "summaryAtOnce" : "summary", { count }))}`;
  const rest = includedCount < news.length ? [escapeHtml(texts("more"))] : [];
  return {
    html: [title, ...shown.texts, ...rest].join("\n\n"),
    buttons: summaryButtons(shown.numbered, options),
    includedCount,
  };
}

function homeOf(news: SearchNews): string | undefined {
  return isAboutListing(news) ? (news.homeId ?? news.payload.listing.propertyCode) : undefined;
}

function partsOf(rows: readonly SummaryRow[], language: Language) {
  const numbered: ListingNews[] = [];
  const texts = rows.map(({ news }) => {
    const names = hiddenOf(news) ? [] : namesLine(news, language, SHORT);
    if (!isAboutListing(news)) return [renderWords(news, language, SHORT), ...names].join("\n");
    // A removed listing has no buttons, so it needs no number.
    const number = news.kind === "gone" ? "" : `${numbered.push(news)}. `;
    return [number + renderListingBriefly(news, language, SHORT), ...names].join("\n");
  });
  return { texts, numbered };
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 2, 0);
}

function isOfDigest({ payload }: AlertNews): boolean {
  return "isOfDigest" in payload && payload.isOfDigest === true;
}
