import { noteListing } from "#store/chats/marks.ts";
import { listingsOfMessage } from "#store/chats/told-listings.ts";
import { roleIn } from "../chats/role-in.ts";
import type { Conversation } from "../conversation.ts";
import type { Said } from "../links/read-links.ts";

const LONGEST_NOTE = 2_000;

/** A reply to an alert, said to the bot alone, is a note on its home. False where that message told of none. */
export async function noteByReply(
  conversation: Conversation,
  messageId: number,
  text: string,
): Promise<boolean> {
  const { parts, chat } = conversation;
  if (chat.kind !== "private") return false;
  const listingIds = await listingsOfMessage(parts.sql, chat.id, messageId);
  if (listingIds.length === 0) return false;
  await saveNote(conversation, listingIds, text);
  return true;
}

/** /note Call on Monday: as a reply to an alert. In a group others read along, so it is its administrators' to write. */
export async function note(conversation: Conversation, argument: string, said: Said): Promise<void> {
  const { parts, api, chat, speaker, t } = conversation;
  if ((await roleIn(api, chat, speaker)) !== "administrator") {
    return conversation.reply(t("administrators_only"));
  }
  if (said.repliedToId === undefined || argument === "") return conversation.reply(t("note_usage"));
  await saveNote(conversation, await listingsOfMessage(parts.sql, chat.id, said.repliedToId), argument);
}

async function saveNote(
  { parts, chat, t, reply }: Conversation,
  listingIds: readonly string[],
  text: string,
): Promise<void> {
  const [listingId, ...others] = listingIds;
  if (listingId === undefined || others.length > 0) return reply(t("note_which"));
  const words = text.trim();
  if ([...words].length > LONGEST_NOTE) return reply(t("note_too_long", { limit: LONGEST_NOTE }));
  const people = await noteListing(
    parts.sql,
    { chatId: chat.id, listingId },
    { note: words, nowMs: parts.now() },
  );
  await reply(t(people === 0 ? "note_which" : "note_saved"));
}
