import type { ButtonPress } from "../../callback-data.ts";
import type { CommandName } from "../commands/command-menu.ts";
import type { Conversation } from "../conversation.ts";
import { peopleConnectedTo } from "../rows/chat-people.ts";
import { canStart } from "../start/can-start.ts";
import { askForConfirmation } from "./ask-for-consent.ts";

/** What a chat can do besides commands and buttons. */
type Message = "location" | "link" | "name-reply" | "place-reply" | "note-reply";

export type ChatAct = CommandName | ButtonPress["act"] | Message;

/**
 * Acts that concern only the chat itself. All others read or write an account, so the chat must have confirmed one. In a chat
 * without a confirmed account /pause and /resume only mute and unmute the chat.
 */
export const ALLOWED_UNCONFIRMED = [
  ...(["start", "id", "help", "stop", "language", "web", "pause", "resume"] as const),
  ...(["yes", "no", "me", "not-me", "speak", "mute", "unmute", "decline"] as const),
  // These ask for a search. Watching it then needs an account.
  ...(["begin", "questions", "question"] as const),
] satisfies ChatAct[];

/**
 * Returns false and replies with the next step if the act needs a confirmed account and the chat has only unconfirmed
 * ones. An act in a chat without any account sends its own reply.
 */
export async function mayDo(conversation: Conversation, act: ChatAct): Promise<boolean> {
  if ((ALLOWED_UNCONFIRMED as ChatAct[]).includes(act)) return true;
  if (act === "watch" && canStart(conversation)) return true;
  const { parts, chat, t } = conversation;
  const people = await peopleConnectedTo(parts.sql, chat.id);
  if (people.length === 0 || people.some(({ access }) => access === "confirmed")) return true;
  await askForConfirmation(conversation, `🏮 <b>${t("confirm_first")}</b>`);
  return false;
}
