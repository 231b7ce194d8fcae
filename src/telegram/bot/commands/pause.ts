import { formatList } from "#text/labels.ts";
import { muteChat, unmuteChat } from "../../rows/conversations.ts";
import { askWhichAccount } from "../chats/ask-which-account.ts";
import { replyUnconnected } from "../conversation/can-start.ts";
import { type Conversation, replyWithSite } from "../conversation/conversation.ts";
import { type ChatPerson, confirmedPeople, peopleConnectedTo, setPaused } from "../rows/chat-people.ts";

/** /pause: pauses the searches in a private chat that confirmed an account; otherwise it only mutes the chat. */
export async function pause(conversation: Conversation): Promise<void> {
  await changePause(conversation, true);
}

/** /resume: undoes /pause and unmutes the chat. */
export async function resume(conversation: Conversation): Promise<void> {
  await changePause(conversation, false);
}

async function changePause(conversation: Conversation, isPaused: boolean): Promise<void> {
  const { parts, chat, t } = conversation;
  if ((await peopleConnectedTo(parts.sql, chat.id)).length === 0) {
    return replyUnconnected(conversation);
  }
  if (!isPaused) await unmuteChat(parts.sql, chat.id, "mute-and-pause");
  const people = chat.kind === "private" ? await confirmedPeople(parts.sql, chat.id) : [];
  if (people.length === 0) {
    if (isPaused) await muteChat(parts.sql, chat.id, "infinity");
    return conversation.reply(t(isPaused ? "paused_chat" : "resumed_chat"));
  }
  if (people.length > 1) return askWhichAccount(conversation, people, { is: "pause", isPaused });
  const reply = await pauseFor(conversation, people, isPaused);
  if (reply === undefined) return replyWithSite(conversation, [t("status_no_filter")]);
  await conversation.reply(reply);
}

/** Pauses or resumes all searches of these accounts and returns the reply, or undefined if they have no searches. */
export async function pauseFor(
  { parts, chat, t, language }: Conversation,
  people: readonly ChatPerson[],
  isPaused: boolean,
): Promise<string | undefined> {
  const accounts: string[] = [];
  for (const { userId, account } of people) {
    if (await setPaused(parts.sql, { userId, chatId: chat.id }, isPaused)) accounts.push(account);
  }
  if (accounts.length === 0) return undefined;
  return t(isPaused ? "paused_watch" : "resumed_watch", { people: formatList(accounts, language) });
}
