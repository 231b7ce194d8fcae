import type { AlertNews } from "#core/alert/alert.ts";
import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { browserWords } from "#text/browser-words.ts";
import { describeSearch } from "#text/describe-search.ts";
import type { Lengths } from "#text/home-words.ts";
import { formatMoment, timeOfDay } from "#text/moments.ts";
import { lineOf } from "#text/one-line.ts";
import { translatorOf, wordsOf } from "#text/translator.ts";
import { dayLabel } from "#text/watch-interval.ts";
import { bold, copyable } from "../../html.ts";
import type { SearchNews } from "../channel.ts";
import { alertSearchName, alertTexts } from "./alert-texts.ts";
import { type ListingNews, renderListingInALine } from "./render-listing.ts";

type NewsOf<Kind extends AlertNews["kind"]> = Extract<AlertNews, { kind: Kind }>;

const accountTexts = translatorOf("account");

const LONGEST_SEARCH = 300;
const LONGEST_CODE = 20;
const DAY_MS = 86_400_000;

/** Renders news that is not about a listing: questions, greetings and the status of sources. */
export function renderWords(
  news: Exclude<SearchNews, ListingNews>,
  language: Language,
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
    case "gap":
      return lines("🌫", ...gapWords(news, language));
    case "question": {
      const account = accountIn(news, lengths);
      return lines("🏮", texts("question"), texts("questionBody", { account }), texts("questionAdvice"));
    }
    case "connected": {
      const account = accountIn(news, lengths);
      return lines("🏮", texts("connected"), texts("connectedBody", { account }), texts("connectedAdvice"));
    }
    case "forwarding-question":
      return [
        `✉️ ${bold(texts("forwardingQuestion"))}`,
        escapeHtml(texts("forwardingQuestionBody")),
        copyable(lineOf(news.payload.code, LONGEST_CODE) ?? "?"),
        escapeHtml(texts("forwardingQuestionAdvice")),
      ].join("\n");
    case "summary-offer":
      return lines(
        "🗂",
        (news.searches?.[0] && alertSearchName(news.searches[0], { language, longest: lengths.place })) ??
          "Idealista",
        wordsOf("rules", language).t("summary.offer"),
        wordsOf("rules", language).t("summary.cuts"),
      );
    case "account-notice": {
      const { notice } = news.payload;
      return lines(
        notice === "welcome" ? "🏮" : "🔔",
        texts(`notices.${notice}.title`),
        noticeBody(news.payload, language),
      );
    }
    case "test":
      return lines("🏮", texts("test"), texts("testBody"));
    case "account-deleted":
      return lines("🏮", texts("accountDeleted"), texts("accountDeletedBody"));
    case "telegram-disconnected":
      return lines("🏮", texts("accountDeleted"), texts("accountDisconnectedBody"));
    case "access-ended":
      return lines("🏮", texts("accessEnded"), texts("accessEndedBody"));
  }
}

function accountIn({ people: [account] = [] }: SearchNews, lengths: Lengths): string {
  return lineOf(account ?? "", lengths.address) ?? "?";
}

function noticeBody(payload: NewsOf<"account-notice">["payload"], language: Language): string {
  const texts = alertTexts(language);
  switch (payload.notice) {
    case "chat-connected":
      return texts("notices.chat-connected.body", { digits: payload.chatId.slice(-4) });
    case "new-browser": {
      const { browser: family, platform, atMs } = payload;
      return texts("notices.new-browser.body", {
        device: browserWords({ family, platform }, accountTexts(language)),
        time: formatMoment(atMs, language, {
          timeZone: "Europe/Madrid",
          dateStyle: "long",
          timeStyle: "short",
        }),
      });
    }
    case "email-added":
      return texts("notices.email-added.body", { email: payload.email });
    default:
      return texts(`notices.${payload.notice}.body`);
  }
}

type TitleAndLines = [title: string, ...lines: string[]];

function sourceDownWords({ payload }: NewsOf<"source-down">, language: Language): TitleAndLines {
  const texts = alertTexts(language);
  const { reason, sinceMs, untilMs, isServedByMail = false } = payload;
  if (reason !== "quota-spent" || untilMs === undefined) {
    const since = { day: dayLabel(new Date(sinceMs), language), time: timeOfDay(sinceMs, language) };
    const title = payload.isFlapping === true ? "sourceFlapping" : "sourceDown";
    return [texts(title), texts(`${title}Since`, since)];
  }
  const until = texts("sourceSpentUntil", { date: dayLabel(new Date(untilMs), language) });
  return [texts("sourceSpent"), until, ...(isServedByMail ? [texts("sourceSpentMail")] : [])];
}

function sourceUpWords({ payload }: NewsOf<"source-up">, language: Language): TitleAndLines {
  const texts = alertTexts(language);
  const { span, isOneDay } = spanOf(payload.sinceMs, payload.untilMs, language);
  const sequel = texts(payload.mayHaveMissed ? "sourceUpMissed" : "sourceUpComplete");
  const isSpent = payload.reason === "quota-spent";
  return [
    texts(isSpent ? "sourceUpSpent" : "sourceUp"),
    texts(`${isSpent ? "sourceUpSpentSpan" : "sourceUpSpan"}${isOneDay ? "OneDay" : ""}`, span),
    sequel,
  ];
}

function gapWords({ payload }: NewsOf<"gap">, language: Language): TitleAndLines {
  const texts = alertTexts(language);
  const { span, isOneDay } = spanOf(payload.fromMs, payload.untilMs, language);
  return [texts("gap"), texts(isOneDay ? "gapSpanOneDay" : "gapSpan", span), texts("gapDone")];
}

function spanOf(fromMs: number, untilMs: number, language: Language) {
  const span = {
    fromDay: dayLabel(new Date(fromMs), language),
    fromTime: timeOfDay(fromMs, language),
    untilDay: dayLabel(new Date(untilMs), language),
    untilTime: timeOfDay(untilMs, language),
  };
  return { span, isOneDay: span.fromDay === span.untilDay && untilMs - fromMs < DAY_MS };
}

function renderWatchStarted(
  { payload }: NewsOf<"watch-started">,
  language: Language,
  lengths: Lengths,
): string {
  const texts = alertTexts(language);
  const parsed = parseSearchUrl(payload.filterUrl);
  const search = parsed.ok
    ? lineOf(describeSearch(parsed.search, wordsOf("search", language)).text, LONGEST_SEARCH)
    : null;
  const key = STARTS[payload.occasion ?? "new"];
  const newest = payload.newest
    .slice(0, 3)
    .map((listing) => renderListingInALine(listing, language, lengths));
  return [
    `🏮 ${bold(texts(key))}`,
    ...(search === null ? [] : [`<i>${escapeHtml(search)}</i>`]),
    escapeHtml(matchesOf(payload, key, language)),
    ...(newest.length === 0 ? [] : ["", ...newest]),
  ].join("\n");
}

const STARTS = { new: "watchStarted", edit: "watchEdited", pause: "watchResumed" } as const;

function matchesOf(
  { matchCount: count, isAtLeast }: NewsOf<"watch-started">["payload"],
  key: (typeof STARTS)[keyof typeof STARTS],
  language: Language,
): string {
  const texts = alertTexts(language);
  if (count === 0) return texts(`${key}None`);
  return texts(key === "watchStarted" && isAtLeast ? "watchStartedAtLeast" : `${key}Count`, { count });
}
