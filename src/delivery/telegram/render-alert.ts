import type { AlertListing, AlertNews } from "#core/alert/alert.ts";
import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import type { SearchNews } from "#core/ports/channel.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeSearch } from "#text/describe-search.ts";
import { FULL, type Lengths, SHORT } from "#text/home-words.ts";
import { lineOf } from "#text/one-line.ts";
import { dayLabel } from "#text/watch-interval.ts";
import { alertButtons, type Button } from "./alert-buttons.ts";
import { alertTexts } from "./alert-texts.ts";
import { bold, copyable, isLink } from "./html.ts";
import {
  hiddenOf,
  type ListingNews,
  renderListing,
  renderListingBriefly,
  renderListingInALine,
} from "./render-listing.ts";
import { namesLine } from "./search-names.ts";

/** A message before it is sent. */
export interface Rendered {
  readonly html: string;
  readonly buttons: readonly (readonly Button[])[];
  readonly pictureUrl: string | null;
  /** The page whose picture stands in where ours cannot be had. */
  readonly previewUrl: string | null;
  /** How many of the news are in it. */
  readonly includedCount: number;
}

export interface RenderOptions {
  readonly language: Language;
  /** Whom a question is about. */
  readonly userId: string;
  readonly siteUrl: string;
  readonly isShort: boolean;
}

type NewsOf<Kind extends AlertNews["kind"]> = Extract<AlertNews, { kind: Kind }>;

/** Telegram's longest text, with room to spare for how it may count. */
const LONGEST_TEXT = 4000;
const LONGEST_SEARCH = 300;
const LONGEST_CODE = 20;

export function renderNews(news: readonly SearchNews[], options: RenderOptions): Rendered {
  const [first] = news;
  if (first === undefined) throw new RangeError("nothing to tell");
  return news.length === 1 ? renderAlert(first, options) : renderSummary(news, options);
}

function renderAlert(news: SearchNews, options: RenderOptions): Rendered {
  const lengths = options.isShort ? SHORT : FULL;
  const names = hiddenOf(news) ? [] : namesLine(news, options.language, lengths);
  // Of what is gone there is nothing left to see.
  const listing = isAboutListing(news) && news.kind !== "gone" ? news.payload.listing : undefined;
  return {
    html: [
      isAboutListing(news)
        ? renderListing(news, options.language, lengths)
        : renderWords(news, options, lengths),
      ...names,
    ].join("\n"),
    buttons: alertButtons(news, options),
    pictureUrl: pictureOf(listing),
    previewUrl: listing && isLink(listing.url) ? listing.url : null,
    includedCount: 1,
  };
}

function pictureOf(listing: AlertListing | undefined): string | null {
  return listing?.pictureUrl && isLink(listing.pictureUrl) ? listing.pictureUrl : null;
}

function isAboutListing(news: SearchNews): news is ListingNews {
  return "listing" in news.payload;
}

function renderWords(
  news: Exclude<SearchNews, ListingNews>,
  { language }: RenderOptions,
  lengths: Lengths,
): string {
  const texts = alertTexts(language);
  const lines = (mark: string, title: string, ...more: string[]) =>
    [`${mark} ${bold(title)}`, ...more.map(escapeHtml)].join("\n");
  switch (news.kind) {
    case "watch-started":
      return renderWatchStarted(news, language, lengths);
    case "source-down":
      return lines("🌫", ...sourceDownWords(news, language));
    case "source-up":
      return lines("🏮", ...sourceUpWords(news, language));
    case "question": {
      const email = lineOf(news.payload.email, lengths.address) ?? "?";
      return lines("🏮", texts("question"), texts("questionBody", { email }), texts("questionAdvice"));
    }
    case "connected": {
      const email = lineOf(news.payload.email, lengths.address) ?? "?";
      return lines("🏮", texts("connected"), texts("connectedBody", { email }), texts("connectedAdvice"));
    }
    case "forwarding-question":
      return [
        `✉️ ${bold(texts("forwardingQuestion"))}`,
        escapeHtml(texts("forwardingQuestionBody")),
        copyable(lineOf(news.payload.code, LONGEST_CODE) ?? "?"),
        escapeHtml(texts("forwardingQuestionAdvice")),
      ].join("\n");
    case "test":
      return lines("🏮", texts("test"), texts("testBody"));
    case "account-deleted":
      return lines("🏮", texts("accountDeleted"), texts("accountDeletedBody"));
  }
}

type TitleAndLines = [title: string, ...lines: string[]];

function sourceDownWords({ payload }: NewsOf<"source-down">, language: Language): TitleAndLines {
  const texts = alertTexts(language);
  const { reason, sinceMs, untilMs, isServedByMail = false } = payload;
  if (reason !== "quota-spent" || untilMs === undefined) {
    return [texts("sourceDown"), texts("sourceDownSince", { time: timeOf(sinceMs, language) })];
  }
  const until = texts("sourceSpentUntil", { date: dayLabel(new Date(untilMs), language) });
  return [texts("sourceSpent"), until, ...(isServedByMail ? [texts("sourceSpentMail")] : [])];
}

function sourceUpWords({ payload }: NewsOf<"source-up">, language: Language): TitleAndLines {
  const texts = alertTexts(language);
  const span = { from: timeOf(payload.sinceMs, language), until: timeOf(payload.untilMs, language) };
  const sequel = texts(payload.mayHaveMissed ? "sourceUpMissed" : "sourceUpComplete");
  const isSpent = payload.reason === "quota-spent";
  return [
    texts(isSpent ? "sourceUpSpent" : "sourceUp"),
    texts(isSpent ? "sourceUpSpentSpan" : "sourceUpSpan", span),
    sequel,
  ];
}

function renderWatchStarted(
  { payload }: NewsOf<"watch-started">,
  language: Language,
  lengths: Lengths,
): string {
  const texts = alertTexts(language);
  const parsed = parseSearchUrl(payload.filterUrl);
  const search = parsed.ok ? lineOf(describeSearch(parsed.search, language).text, LONGEST_SEARCH) : null;
  const count = payload.matchCount;
  const matches =
    count === 0
      ? texts("watchStartedNone")
      : texts(payload.isAtLeast ? "watchStartedAtLeast" : "watchStartedCount", { count });
  const newest = payload.newest
    .slice(0, 3)
    .map((listing) => renderListingInALine(listing, language, lengths));
  return [
    `🏮 ${bold(texts("watchStarted"))}`,
    ...(search === null ? [] : [`<i>${escapeHtml(search)}</i>`]),
    escapeHtml(matches),
    ...(newest.length === 0 ? [] : ["", ...newest]),
  ].join("\n");
}

/** As many as fit into one message, each in two lines. */
function renderSummary(news: readonly SearchNews[], options: RenderOptions): Rendered {
  const { language } = options;
  const texts = alertTexts(language);
  const lengths = SHORT;
  const parts: string[] = [];
  let length = 0;
  for (const one of news) {
    const words = isAboutListing(one)
      ? renderListingBriefly(one, language, lengths)
      : renderWords(one, options, lengths);
    const part = [words, ...namesLine(one, language, lengths)].join("\n");
    // Markup is counted too, though Telegram does not: the message is the shorter for it, never too long.
    if (parts.length > 0 && length + part.length + 2 > LONGEST_TEXT - 200) break;
    parts.push(part);
    length += part.length + 2;
  }
  const isAtOnce = news.some(isOfDigest);
  const title = `${isAtOnce ? "🏮" : "🌙"} ${bold(texts(isAtOnce ? "summaryAtOnce" : "summary", { count: parts.length }))}`;
  const rest = parts.length < news.length ? [escapeHtml(texts("more"))] : [];
  return {
    html: [title, ...parts, ...rest].join("\n\n"),
    buttons: [],
    pictureUrl: null,
    previewUrl: null,
    includedCount: parts.length,
  };
}

function isOfDigest({ payload }: AlertNews): boolean {
  return "isOfDigest" in payload && payload.isOfDigest === true;
}

function timeOf(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    timeZone: "Europe/Madrid",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(ms);
}
