import { confirmedPeopleTold } from "#store/chats/chat-people.ts";
import { noteListing } from "#store/chats/marks.ts";
import { listingsOfMessage } from "#store/chats/told-listings.ts";
import { askWhose } from "../chats/ask-whose.ts";
import { mayDo } from "../chats/confirmed-only.ts";
import { roleIn } from "../chats/role-in.ts";
import type { Conversation } from "../conversation.ts";
import type { Said } from "../links/read-links.ts";

const LONGEST_NOTE = 2_000;

/** A reply to an alert in a private chat is a note on its home. False where that message told of none. */
export async function noteByReply(
  conversation: Conversation,
  messageId: number,
  text: string,
): Promise<boolean> {
  const { parts, chat } = conversation;
  if (chat.kind !== "private") return false;
  const listingIds = await listingsOfMessage(parts.sql, chat.id, messageId);
  if (listingIds.length === 0) return false;
  if (await mayDo(conversation, "note-reply")) await saveNote(conversation, listingIds, text);
  return true;
}

/** /note Call on Monday: as a reply to an alert. In a group others read along, so only administrators write notes there. */
export async function note(conversation: Conversation, argument: string, said: Said): Promise<void> {
  const { parts, api, chat, speaker, t } = conversation;
  if ((await roleIn(api, chat, speaker)) !== "administrator") {
    return conversation.reply(t("administrators_only"));
  }
  if (said.repliedToId === undefined || argument === "") return conversation.reply(t("note_usage"));
  await saveNote(conversation, await listingsOfMessage(parts.sql, chat.id, said.repliedToId), argument);
}

async function saveNote(
  conversation: Conversation,
  listingIds: readonly string[],
  text: string,
): Promise<void> {
  const { parts, chat, t, reply } = conversation;
  const [listingId, ...others] = listingIds;
  if (listingId === undefined || others.length > 0) return reply(t("note_which"));
  const words = text.trim();
  if ([...words].length > LONGEST_NOTE) return reply(t("note_too_long", { limit: LONGEST_NOTE }));
  const people = await confirmedPeopleTold(parts.sql, chat.id, listingId);
  const request = { is: "note", listingId, note: words } as const;
  if (people.length > 1) return askWhose(conversation, people, request);
  const userIds = people.map(({ userId }) => userId);
  await reply(await noteFor(conversation, userIds, request));
}

/** Writes the note to these accounts, and says so. */
export async function noteFor(
  { parts, chat, t }: Conversation,
  userIds: readonly string[],
  { listingId, note }: { readonly listingId: string; readonly note: string },
): Promise<string> {
  const told = { chatId: chat.id, listingId, userIds };
  const count = await noteListing(parts.sql, told, { note, nowMs: parts.now() });
  return t(count === 0 ? "note_which" : "note_saved");
}
