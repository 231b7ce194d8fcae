import type { AccountNotice, AlertListing } from "#core/alert/alert.ts";
import { ALERT_KINDS } from "#core/alert/alert-kinds.ts";
import { type Language, localizedPath } from "#core/languages.ts";
import { advertUrlIn, portalNameOf } from "#core/listing/advert-url.ts";
import { fittingRules } from "#core/rules/fitting-rules.ts";
import { wordsOf } from "#text/translator.ts";
import { type ButtonPress, formatCallbackData } from "../../callback-data.ts";
import { isLink } from "../../html.ts";
import type { SearchNews } from "../channel.ts";
import { alertSearchName, alertTexts, markTexts } from "./alert-texts.ts";
import { hiddenOf, isAboutListing, isOver, type ListingNews } from "./render-listing.ts";

export type AlertButton =
  | { readonly text: string; readonly url: string }
  | { readonly text: string; readonly callback_data: string }
  | { readonly text: string; readonly web_app: { readonly url: string } }
  | { readonly text: string; readonly switch_inline_query_chosen_chat: ChosenChat };

interface ChosenChat {
  readonly query: string;
  readonly allow_user_chats: true;
  readonly allow_group_chats: true;
  readonly allow_channel_chats: true;
}

/** Telegram's Mini App, where it is offered. */
export interface MiniApp {
  readonly siteUrl: string;
  /** The start of links to bots: https://t.me */
  readonly linkUrl: string;
}

interface ButtonOptions {
  readonly language: Language;
  readonly userId: string;
  readonly siteUrl: string;
  readonly app?: MiniApp | undefined;
  readonly isMuted?: boolean | undefined;
}

/** Rows of buttons. Buttons that Telegram would refuse are left out, so that it accepts the message. */
export function alertButtons(news: SearchNews, options: ButtonOptions): AlertButton[][] {
  const hidden = hiddenOf(news);
  if (hidden !== undefined) {
    const { propertyCode } = hidden;
    const isRuled = fittingRules(hidden).length > 0;
    return [
      press(markTexts(options.language)("button_hidden"), { act: "undo", propertyCode }),
      isRuled ? press(alertTexts(options.language)("less"), { act: "less", propertyCode }) : [],
    ].filter(hasButtons);
  }
  return [...rowsOf(news, options), ...muteRows(news, options)].filter(hasButtons);
}

/** The buttons of a summary: a row for each numbered listing, then the chat's mute button. */
export function summaryButtons(
  numbered: readonly ListingNews[],
  { language, isMuted }: Pick<ButtonOptions, "language" | "isMuted">,
): AlertButton[][] {
  if (numbered.length === 0) return [];
  const rows = numbered.map((news, place) => withNumber(rowInSummary(news, language), place + 1));
  return [...rows, muteButton(language, isMuted)].filter(hasButtons);
}

/** Three buttons have no room for the number in each. */
function withNumber([first, ...others]: readonly AlertButton[], number: number): AlertButton[] {
  return first === undefined ? [] : [{ ...first, text: `${number}. ${first.text}` }, ...others];
}

function rowInSummary(news: ListingNews, language: Language): AlertButton[] {
  const texts = alertTexts(language);
  const { propertyCode, url } = news.payload.listing;
  const open = link(texts("openShort"), advertUrlIn(url, language));
  const undo = { act: "undo", propertyCode } as const;
  switch (news.own?.mark ?? null) {
    case "hidden":
      return press(markTexts(language)("button_hidden"), undo);
    case "kept":
      return [...open, ...press(markTexts(language)("kept_short"), undo)];
    case null:
      return [
        ...open,
        ...press(texts("hide"), { act: "hide", propertyCode }),
        ...press(texts("keep"), { act: "keep", propertyCode }),
      ];
  }
}

function muteButton(language: Language, isMuted = false): AlertButton[] {
  return isMuted
    ? press(markTexts(language)("button_muted"), { act: "unmute" })
    : press(alertTexts(language)("mute"), { act: "mute" });
}

function hasButtons(row: readonly AlertButton[]): boolean {
  return row.length > 0;
}

/** More would fill the screen. /searches can mute all of them. */
const MUTABLE_AT_MOST = 3;
/** In a row of its own. */
const LONGEST_BUTTON = 36;

/** With one search the button says "this search"; with several, each button has a name. */
function muteRows({ kind, searches = [] }: SearchNews, { language }: ButtonOptions): AlertButton[][] {
  if (kind === "gone" || kind === "watch-started") return [];
  const texts = alertTexts(language);
  const length = "short";
  const longest = LONGEST_BUTTON - texts("muteNamed", { name: "" }).length;
  const names = searches.map((search) => alertSearchName(search, { language, longest, length }));
  return searches.slice(0, MUTABLE_AT_MOST).map((search, at) => {
    const isCutAlike = names.some((other, place) => place !== at && other === names[at]);
    const name = names.length === 1 ? null : isCutAlike ? `${at + 1}. ${names[at]}` : (names[at] ?? null);
    const text = name === null ? texts("muteSearch") : texts("muteNamed", { name });
    return search.isMuted
      ? press(`✓ ${text}`, { act: "unmute-search", searchId: search.id })
      : press(text, { act: "mute-search", searchId: search.id });
  });
}

function rowsOf(news: SearchNews, options: ButtonOptions): AlertButton[][] {
  const { language, userId, siteUrl } = options;
  const texts = alertTexts(language);
  const { buttons } = ALERT_KINDS[news.kind];
  switch (buttons) {
    case "listing":
      return isAboutListing(news) ? listingRows(news, options) : [];
    case "open":
      return isAboutListing(news) ? [openLink(news.payload.listing, language)] : [];
    case "settings":
      return [
        link(
          texts(news.kind === "access-ended" ? "notices.chats-lost.open" : "settings"),
          pageUrl(siteUrl, "/filter-settings", language),
        ),
      ];
    case "forwarding":
      return "link" in news.payload ? [googleLink(texts("forwardingOpen"), news.payload.link)] : [];
    case "consent":
      return [[...press(texts("yes"), { act: "yes", userId }), ...press(texts("no"), { act: "no", userId })]];
    case "identity":
      return [
        [
          ...press(texts("thatsMe"), { act: "me", userId }),
          ...press(texts("notMe"), { act: "not-me", userId }),
        ],
      ];
    case "summary":
      return news.kind === "summary-offer" ? summaryOfferRows(news.payload.searchId, language) : [];
    case "account":
      return news.kind === "account-notice" ? [noticeLink(news.payload.notice, options)] : [];
    case "none":
      return [];
  }
}

function summaryOfferRows(searchId: string, language: Language): AlertButton[][] {
  return [
    press(wordsOf("rules", language).t("summary.switch"), { act: "fold-search", searchId }),
    press(alertTexts(language)("summaryNo"), { act: "unfold-search", searchId }),
  ];
}

const NOTICE_PAGES = {
  welcome: ["/filter-settings", ""],
  "password-changed": ["/profile", ""],
  "chat-connected": ["/filter-settings", ""],
  "new-browser": ["/profile", "#sessions"],
  "chats-lost": ["/filter-settings", ""],
  "alert-mail-steps": ["/filter-settings", "#alert-mails"],
  "email-added": ["/profile", ""],
} as const;

function noticeLink(notice: AccountNotice["notice"], { language, siteUrl }: ButtonOptions): AlertButton[] {
  const [path, fragment] = NOTICE_PAGES[notice];
  return link(alertTexts(language)(`notices.${notice}.open`), pageUrl(siteUrl, path, language) + fragment);
}

function listingRows(news: ListingNews, { language, isMuted, app }: ButtonOptions): AlertButton[][] {
  const texts = alertTexts(language);
  const { listing } = news.payload;
  const { propertyCode, photoCount = 0 } = listing;
  return [
    openLink(listing, language),
    news.own?.mark === "kept"
      ? press(markTexts(language)("button_kept"), { act: "undo", propertyCode })
      : [
          ...press(texts("hide"), { act: "hide", propertyCode }),
          ...press(texts("keep"), { act: "keep", propertyCode }),
          ...muteButton(language, isMuted),
        ],
    [
      ...press(texts(isOver(news) ? "messageGone" : "message"), { act: "message", propertyCode }),
      ...(photoCount > 1 ? press(texts("photos"), { act: "photos", propertyCode }) : []),
    ],
    [...openApp(news, language, app), ...sendTo(news, language)],
  ];
}

/** A button of its own where Telegram says who presses it; in groups a link that opens the reader's own homes. */
function openApp(
  { payload: { listing }, opensApp = null }: ListingNews,
  language: Language,
  app: MiniApp | undefined,
): AlertButton[] {
  const { propertyCode } = listing;
  if (app === undefined || opensApp === null || !/^[\w-]{1,64}$/.test(propertyCode)) return [];
  const text = alertTexts(language)("openApp");
  if (opensApp !== "button")
    return link(text, `${app.linkUrl}/${opensApp.bot}?startapp=home-${propertyCode}`);
  const url = `${pageUrl(app.siteUrl, "/app/finds", language)}?home=${propertyCode}`;
  return [{ text, web_app: { url } }];
}

/** Opens Telegram's list of chats; the bot then offers the card there. */
function sendTo({ shareQuery = null }: ListingNews, language: Language): AlertButton[] {
  if (shareQuery === null) return [];
  const allowed = { allow_user_chats: true, allow_group_chats: true, allow_channel_chats: true } as const;
  const text = alertTexts(language)("sendTo");
  return [{ text, switch_inline_query_chosen_chat: { query: shareQuery, ...allowed } }];
}

function openLink({ url }: AlertListing, language: Language): AlertButton[] {
  return link(alertTexts(language)("open", { portal: portalNameOf(url) }), advertUrlIn(url, language));
}

/** The link comes from a mail, so only links to Google are shown. */
function googleLink(text: string, url: string | null): AlertButton[] {
  const isGoogles = /^https:\/\/mail(?:-settings)?\.google\.com\/mail\/[\w%.~-]+$/.test(url ?? "");
  return url !== null && isGoogles ? link(text, url) : [];
}

function link(text: string, url: string): AlertButton[] {
  return isLink(url) ? [{ text, url }] : [];
}

function press(text: string, what: ButtonPress): AlertButton[] {
  const data = formatCallbackData(what);
  return data === undefined ? [] : [{ text, callback_data: data }];
}

function pageUrl(siteUrl: string, path: string, language: Language): string {
  return `${siteUrl.replace(/\/$/, "")}${localizedPath(path, language)}`;
}
