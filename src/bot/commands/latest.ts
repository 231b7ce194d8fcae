import type { AlertListing } from "#core/alert/alert.ts";
import { escapeHtml } from "#core/escape-html.ts";
import { latestToldIn, type ToldLately } from "#store/feeds/watch-state.ts";
import { formatArea, formatPrice, timeLabel } from "#text/labels.ts";
import type { Conversation } from "../conversation.ts";

const SHOWN = 5;
const TITLE_LIMIT = 80;

/** /latest: the listings this chat was told of last. */
export async function latest(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  const listings = await latestToldIn(parts.sql, chat.id, SHOWN);
  if (listings.length === 0) return conversation.reply(t("latest_none"));
  const lines = listings.map((one) => lineOf(conversation, one));
  await conversation.reply([`<b>${t("latest_title")}</b>`, ...lines].join("\n\n"));
}

function lineOf({ parts, language, t }: Conversation, { listing, toldAt }: ToldLately): string {
  const facts = [
    formatPrice(listing.priceEur, language),
    ...(listing.areaM2 === null ? [] : [formatArea(listing.areaM2, language)]),
    timeLabel(toldAt, new Date(parts.now()), language),
  ];
  const title = titleOf(listing) ?? t("listing_without_title");
  return `<a href="${escapeHtml(listing.url)}">${escapeHtml(title)}</a>\n${facts.join(" · ")}`;
}

function titleOf({ title, address, neighborhood }: AlertListing): string | undefined {
  const text = (title ?? address ?? neighborhood ?? "").trim();
  if (text === "") return undefined;
  const letters = [...text.toWellFormed()];
  return letters.length > TITLE_LIMIT ? `${letters.slice(0, TITLE_LIMIT).join("")}…` : text;
}
