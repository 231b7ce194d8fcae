import type { Conversation } from "../conversation/conversation.ts";
import { peopleConnectedTo } from "../rows/chat-people.ts";
import { askForConfirmation } from "./ask-for-consent.ts";

/**
 * What reads or writes an account needs a chat that has confirmed one. Returns false and replies with the next step if the chat has
 * only unconfirmed accounts. An act in a chat without any account sends its own reply.
 */
export async function hasAccount(conversation: Conversation): Promise<boolean> {
  const { parts, chat, t } = conversation;
  const people = await peopleConnectedTo(parts.sql, chat.id);
  if (people.length === 0 || people.some(({ access }) => access === "confirmed")) return true;
  await askForConfirmation(conversation, `🏮 <b>${t("confirm_first")}</b>`);
  return false;
}
