import { findNameQuestion, nameSearchInChat, searchesOf } from "#store/saved-searches.ts";
import { mayDo } from "../chats/confirmed-only.ts";
import { roleIn } from "../chats/role-in.ts";
import type { Conversation } from "../conversation.ts";
import { readName, searchNameInChat } from "./search-words.ts";

/** /rename 2 Near the office: by the number in /searches; without a name it is called by its place again. */
export async function rename(conversation: Conversation, argument: string): Promise<void> {
  const { parts, api, chat, speaker, t } = conversation;
  if ((await roleIn(api, chat, speaker)) !== "administrator")
    return conversation.reply(t("administrators_only"));
  const [, number = "", typed = ""] = /^(\d{1,3})(?:[.:)]*\s+([\s\S]*))?$/.exec(argument) ?? [];
  const all = await searchesOf(parts.sql, chat);
  const meant = all.find((search) => String(search.number) === number);
  if (meant === undefined) return conversation.reply(t("rename_usage"));
  await renameTo(conversation, meant.searchId, typed);
}

/** A reply to the question of a new name. False where the message asked nothing. */
export async function answerNameQuestion(
  conversation: Conversation,
  messageId: number,
  typed: string,
): Promise<boolean> {
  const { parts, chat } = conversation;
  if (chat.kind !== "private") return false;
  const searchId = await findNameQuestion(parts.sql, chat.id, messageId);
  if (searchId === undefined) return false;
  if (await mayDo(conversation, "name-reply")) await renameTo(conversation, searchId, typed);
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
