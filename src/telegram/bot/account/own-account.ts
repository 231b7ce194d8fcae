// /export and /delete, for the owner of the private chat who signs in with Telegram. Connecting a chat gives no rights over
// an account, so all other accounts are exported and deleted on the website.
import type { Context } from "grammy";
import { InputFile } from "grammy";
import { isOwnChat } from "../conversation/can-start.ts";
import { button, type Conversation, replyWithSite } from "../conversation/conversation.ts";
import { showButtons } from "../conversation/edit-message.ts";
import { findQuestion, forgetQuestion, keepQuestion, type OpenQuestion } from "../rows/open-questions.ts";
import { deleteOwnAccount, exportOwnAccount, findOwnAccount } from "../rows/start-in-chat.ts";

/** /export: the file that the website offers. */
export async function exportInChat(conversation: Conversation): Promise<void> {
  const { parts, api, chat, t, plain } = conversation;
  if (!isOwnChat(conversation)) return conversation.reply(t("account_private_only"));
  const exported = await exportOwnAccount(parts.sql, chat.id);
  if (exported === undefined) return replyOnSite(conversation);
  const day = new Date(parts.now()).toISOString().slice(0, 10);
  const file = new InputFile(Buffer.from(JSON.stringify(exported, null, 2)), `sereno-${day}.json`);
  await api.sendDocument(chat.id, file, { caption: plain("export_file") });
}

/** /delete: explains, and asks for a word. Then a button must be pressed. */
export async function deleteInChat(conversation: Conversation): Promise<void> {
  const { parts, chat, t, plain } = conversation;
  if (!isOwnChat(conversation)) return conversation.reply(t("account_private_only"));
  const own = await findOwnAccount(parts.sql, chat.id);
  if (own === undefined || own.hasPassword) return replyOnSite(conversation);
  const question = { is: "delete-word", userId: own.userId } as const;
  await keepQuestion(parts.sql, { chatId: chat.id, question }, parts.now());
  await conversation.ask(t("account_delete_question", { word: plain("account_delete_word") }));
}

function replyOnSite(conversation: Conversation): Promise<void> {
  return replyWithSite(conversation, [conversation.t("account_on_site")], { page: "/profile" });
}

/** Handles the word that /delete asked for. Returns false if it did not ask. Any other text ends the deletion. */
export async function answerDeleteQuestion(conversation: Conversation, typed: string): Promise<boolean> {
  const { parts, chat, t, plain } = conversation;
  const question = await openQuestion(conversation);
  if (question?.is !== "delete-word") return false;
  const word = plain("account_delete_word");
  if (!isDeleteWord(conversation, typed)) {
    await forgetQuestion(parts.sql, chat.id);
    await conversation.reply(t("account_delete_stopped", { word }));
    return true;
  }
  const next = { ...question, is: "delete-press" } as const;
  await keepQuestion(parts.sql, { chatId: chat.id, question: next }, parts.now());
  await conversation.reply(t("account_delete_last"), [
    [button(plain("account_delete_now"), { act: "delete-account" })],
    [button(plain("account_delete_no"), { act: "decline" })],
  ]);
  return true;
}

export function isDeleteWord({ plain }: Conversation, typed: string): boolean {
  return typed.length < 100 && typed.trim().toUpperCase() === plain("account_delete_word").toUpperCase();
}

/** The button works once, for a few minutes after the word. The notice of the deletion is sent to all chats of the account. */
export async function pressDeleteAccount(conversation: Conversation, ctx: Context): Promise<string> {
  const { parts, chat, plain } = conversation;
  const question = await openQuestion(conversation);
  await showButtons(ctx, []);
  if (question?.is !== "delete-press") return plain("note_dead_button");
  await forgetQuestion(parts.sql, chat.id);
  const isDeleted = await deleteOwnAccount(parts.sql, { chatId: chat.id, userId: question.userId });
  parts.logger.info({ isDeleted }, "an account was deleted in its own chat");
  return plain(isDeleted ? "note_account_deleted" : "note_dead_button");
}

async function openQuestion(conversation: Conversation): Promise<OpenQuestion | undefined> {
  const { parts, chat } = conversation;
  return isOwnChat(conversation) ? findQuestion(parts.sql, chat.id, parts.now()) : undefined;
}
