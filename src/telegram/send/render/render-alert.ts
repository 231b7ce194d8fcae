import type { AlertListing } from "#core/alert/alert.ts";
import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { FULL, SHORT } from "#text/home-words.ts";
import { isLink } from "../../html.ts";
import type { SearchNews } from "../channel.ts";
import { type AlertButton, alertButtons, type MiniApp } from "./alert-buttons.ts";
import { alertTexts, namesLine } from "./alert-texts.ts";
import { hiddenOf, isAboutListing, renderListing } from "./render-listing.ts";
import { renderSummary } from "./render-summary.ts";
import { renderWords } from "./render-words.ts";

export interface Rendered {
  readonly html: string;
  readonly buttons: readonly (readonly AlertButton[])[];
  readonly pictureUrl: string | null;
  /** The page that Telegram previews if there is no picture. */
  readonly previewUrl: string | null;
  /** How many of the news are in it. */
  readonly includedCount: number;
}

export interface RenderOptions {
  readonly language: Language;
  /** The user whom a question is about. */
  readonly userId: string;
  readonly siteUrl: string;
  readonly app?: MiniApp | undefined;
  readonly isShort: boolean;
  readonly isMuted?: boolean | undefined;
  readonly isAtOnce?: boolean | undefined;
  /** Called when an optional line could not be rendered and is left out. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export function renderNews(news: readonly SearchNews[], options: RenderOptions): Rendered {
  const [first] = news;
  if (first === undefined) throw new RangeError("no news to render");
  if (news.length === 1) return renderAlert(first, options);
  return { ...renderSummary(news, options), pictureUrl: null, previewUrl: null };
}

function renderAlert(news: SearchNews, options: RenderOptions): Rendered {
  const { language, onError } = options;
  const lengths = options.isShort ? SHORT : FULL;
  const names = hiddenOf(news) ? [] : namesLine(news, language, lengths);
  // The page of a removed listing has no picture.
  const listing = isAboutListing(news) && news.kind !== "gone" ? news.payload.listing : undefined;
  return {
    html: [
      isAboutListing(news)
        ? renderListing(news, { language, lengths, onError })
        : renderWords(news, language, lengths),
      ...names,
      ...(news.isLastOfDay === true ? [escapeHtml(alertTexts(language)("lastNoticeOfDay"))] : []),
    ].join("\n"),
    buttons: alertButtons(news, options),
    pictureUrl: pictureOf(listing),
    previewUrl: listing && isLink(listing.url) ? advertUrlIn(listing.url, language) : null,
    includedCount: 1,
  };
}

function pictureOf(listing: AlertListing | undefined): string | null {
  return listing?.pictureUrl && isLink(listing.pictureUrl) ? listing.pictureUrl : null;
}
