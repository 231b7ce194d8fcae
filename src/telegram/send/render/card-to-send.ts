import type { InlineQueryResult } from "grammy/types";
import type { AlertListing } from "#core/alert/alert.ts";
import type { Language } from "#core/languages.ts";
import { FULL, homeLine } from "#text/home-words.ts";
import { formatPrice } from "#text/labels.ts";
import { wordsOf } from "#text/translator.ts";
import { renderNews } from "./render-alert.ts";

interface CardOptions {
  /** Of the result, at most 64 bytes. */
  readonly id: string;
  readonly language: Language;
  readonly siteUrl: string;
}

/** Photo, price, facts, comparison and link. Searches, distances, notes and marks are the sender's own. */
export function cardToSend(listing: AlertListing, { id, language, siteUrl }: CardOptions): InlineQueryResult {
  const news = { kind: "new", payload: { listing } } as const;
  const { html, buttons, pictureUrl, previewUrl } = renderNews([news], {
    ...{ language, siteUrl, userId: "", isShort: false },
  });
  const open = buttons.flat().filter((button) => "url" in button);
  const common = {
    id,
    title: homeLine(listing, wordsOf("home", language), FULL),
    description: formatPrice(listing.priceEur, language),
    ...(open.length === 0 ? {} : { reply_markup: { inline_keyboard: [open] } }),
  };
  if (pictureUrl !== null) {
    const photo = { photo_url: pictureUrl, thumbnail_url: pictureUrl };
    return { type: "photo", ...common, ...photo, caption: html, parse_mode: "HTML" };
  }
  const preview = previewUrl === null ? { is_disabled: true } : { url: previewUrl, prefer_large_media: true };
  return {
    type: "article",
    ...common,
    input_message_content: { message_text: html, parse_mode: "HTML", link_preview_options: preview },
  };
}
