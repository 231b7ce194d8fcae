import { askWhichAccount } from "../chats/ask-which-account.ts";
import { hasAccount } from "../chats/confirmed-only.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ReceivedText } from "../conversation/read-links.ts";
import { confirmedPeopleAlerted } from "../rows/chat-people.ts";
import { noteListing } from "../rows/marks.ts";
import { listingsOfMessage } from "../rows/sent-listings.ts";

const LONGEST_NOTE = 2_000;

/** In a private chat a reply to an alert is saved as a note. Returns false if the message was not an alert. */
export async function noteByReply(
  conversation: Conversation,
  messageId: number,
  text: string,
): Promise<boolean> {
  const { parts, chat } = conversation;
  if (chat.kind !== "private") return false;
  const listingIds = await listingsOfMessage(parts.sql, chat.id, messageId);
  if (listingIds.length === 0) return false;
  if (await hasAccount(conversation)) await saveNote(conversation, listingIds, text);
  return true;
}

/** /note Call on Monday: as a reply to an alert. */
export async function note(
  conversation: Conversation,
  argument: string,
  received: ReceivedText,
): Promise<void> {
  const { parts, chat, t } = conversation;
  if (received.repliedToId === undefined || argument === "") return conversation.reply(t("note_usage"));
  await saveNote(conversation, await listingsOfMessage(parts.sql, chat.id, received.repliedToId), argument);
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
  const people = await confirmedPeopleAlerted(parts.sql, chat.id, listingId);
  const request = { is: "note", listingId, note: words } as const;
  if (people.length > 1) return askWhichAccount(conversation, people, request);
  const userIds = people.map(({ userId }) => userId);
  await reply(await noteFor(conversation, userIds, request));
}

/** Saves the note for these accounts and returns the reply. */
export async function noteFor(
  { parts, chat, t }: Conversation,
  userIds: readonly string[],
  { listingId, note }: { readonly listingId: string; readonly note: string },
): Promise<string> {
  const target = { chatId: chat.id, listingId, userIds };
  const count = await noteListing(parts.sql, target, { note, nowMs: parts.now() });
  return t(count === 0 ? "note_which" : "note_saved");
}
