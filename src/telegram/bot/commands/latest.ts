import { escapeHtml } from "#core/escape-html.ts";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { factsOf, homeLine, placeOf } from "#text/home-words.ts";
import { formatPrice, timeLabel } from "#text/labels.ts";
import { wordsOf } from "#text/translator.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { linkedWords } from "../conversation/search-words.ts";
import { latestAlertsIn, type RecentAlert } from "../rows/sent-listings.ts";

const SHOWN = 5;
/** The non-breaking space keeps a dot from starting a line. */
const DOT = "\u00a0· ";

/** /latest: the homes of the latest alerts in this chat. */
export async function latest(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  const alerts = await latestAlertsIn(parts.sql, chat.id, SHOWN);
  if (alerts.length === 0) return conversation.reply(t("latest_none"));
  const blocks = alerts.map((one) => blockOf(conversation, one));
  await conversation.reply([`<b>${t("latest_title")}</b>`, ...blocks].join("\n\n"));
}

function blockOf({ parts, language }: Conversation, { listing, sentAt }: RecentAlert): string {
  const place = placeOf(listing);
  const words = wordsOf("home", language);
  const sent = timeLabel(sentAt, new Date(parts.now()), wordsOf("common", language));
  const facts = [
    `<b>${formatPrice(listing.priceEur, language)}</b>`,
    ...factsOf(listing, words).map(escapeHtml),
  ];
  const where = [place ?? [], sent].flat().map(escapeHtml);
  return [
    linkedWords(advertUrlIn(listing.url, words.language), homeLine(listing, words)),
    facts.join(DOT),
    where.join(DOT),
  ].join("\n");
}
