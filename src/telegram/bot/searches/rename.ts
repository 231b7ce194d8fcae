import { hasAccount } from "../chats/confirmed-only.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { readName, searchNameInChat } from "../conversation/search-words.ts";
import { findNameQuestion, nameSearchInChat, searchesOf } from "../rows/saved-searches.ts";

/** /rename 2 Near the office: takes the number from /searches. Without a name, the search is named after its place again. */
export async function rename(conversation: Conversation, argument: string): Promise<void> {
  const { parts, chat, t } = conversation;
  const [, number = "", typed = ""] = /^(\d{1,3})(?:[.:)]*\s+([\s\S]*))?$/.exec(argument) ?? [];
  const all = await searchesOf(parts.sql, chat);
  const meant = all.find((search) => String(search.number) === number);
  if (meant === undefined) return conversation.reply(t("rename_usage"));
  await renameTo(conversation, meant.searchId, typed);
}

/** Handles a reply to the question for a new name. Returns false if the message was not such a question. */
export async function answerNameQuestion(
  conversation: Conversation,
  messageId: number,
  typed: string,
): Promise<boolean> {
  const { parts, chat } = conversation;
  if (chat.kind !== "private") return false;
  const searchId = await findNameQuestion(parts.sql, chat.id, messageId);
  if (searchId === undefined) return false;
  if (await hasAccount(conversation)) await renameTo(conversation, searchId, typed);
  return true;
}

async function renameTo(conversation: Conversation, searchId: string, typed: string): Promise<void> {
  const { parts, chat, t, language } = conversation;
  const name = readName(typed);
  const isDone = await nameSearchInChat(parts.sql, { chat, searchId }, name);
  const renamed = (await searchesOf(parts.sql, chat)).find((search) => search.searchId === searchId);
  if (!isDone || renamed === undefined) return conversation.reply(t("note_search_gone"));
  await conversation.reply(t("search_renamed", { name: searchNameInChat(renamed, language) }));
}
