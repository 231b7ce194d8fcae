import { GrammyError } from "grammy";
import { escapeHtml } from "#core/escape-html.ts";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { readSentListing } from "../rows/sent-listings.ts";

/** Telegram's limit for one album. */
const PHOTOS_AT_MOST = 10;

/** "More photos": sends the photos after the one in the alert as an album. */
export async function pressPhotos(conversation: Conversation, propertyCode: string): Promise<string> {
  const { parts, chat, t, plain } = conversation;
  const sent = await readSentListing(parts.sql, { chatId: chat.id, listingId: propertyCode });
  if (sent === undefined) return plain("note_dead_button");
  const urls = sent.photos.slice(1, 1 + PHOTOS_AT_MOST);
  if (urls.length === 0) return plain("photos_none");
  try {
    await sendAll(conversation, urls);
    return plain("note_photos_sent");
  } catch (error) {
    // Telegram could not fetch the photos, or the bot may not send photos in this chat.
    if (!(error instanceof GrammyError && error.error_code === 400)) throw error;
    parts.logger.info({ count: urls.length }, "Telegram refused the photos");
    await conversation.reply(
      `${t("photos_failed")}\n${escapeHtml(advertUrlIn(sent.listing.url, conversation.language))}`,
    );
    return "";
  }
}

async function sendAll({ api, chat, threadId }: Conversation, urls: readonly string[]): Promise<void> {
  const thread = threadId === undefined ? {} : { message_thread_id: threadId };
  const [only, ...others] = urls;
  if (only !== undefined && others.length === 0) {
    await api.sendPhoto(chat.id, only, thread);
    return;
  }
  const album = urls.map((media) => ({ type: "photo", media }) as const);
  await api.sendMediaGroup(chat.id, album, thread);
}
