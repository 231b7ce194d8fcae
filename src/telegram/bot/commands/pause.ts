import { type ChatPerson, confirmedPeople, peopleConnectedTo, setPaused } from "#store/chats/chat-people.ts";
import { muteChat, unmuteChat } from "#store/chats/conversations.ts";
import { formatList } from "#text/labels.ts";
import { askWhose } from "../chats/ask-whose.ts";
import { roleIn } from "../chats/role-in.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";

/** /pause: pauses the searches in a private chat that confirmed an account; otherwise it only mutes the chat. */
export async function pause(conversation: Conversation): Promise<void> {
  await changePause(conversation, true);
}

/** /resume: undoes /pause, and ends a mute. */
export async function resume(conversation: Conversation): Promise<void> {
  await changePause(conversation, false);
}

async function changePause(conversation: Conversation, isPaused: boolean): Promise<void> {
  const { parts, chat, t } = conversation;
  if (!(await mayDecide(conversation))) return;
  if (!isPaused) await unmuteChat(parts.sql, chat.id, "mute-and-pause");
  const people = chat.kind === "private" ? await confirmedPeople(parts.sql, chat.id) : [];
  if (people.length === 0) {
    if (isPaused) await muteChat(parts.sql, chat.id, "infinity");
    return conversation.reply(t(isPaused ? "paused_chat" : "resumed_chat"));
  }
  if (people.length > 1) return askWhose(conversation, people, { is: "pause", isPaused });
  const said = await pauseFor(conversation, people, isPaused);
  if (said === undefined) return replyWithSite(conversation, [t("status_no_filter")]);
  await conversation.reply(said);
}

/** Pauses or resumes all searches of these accounts, and says so. Returns undefined if they have none. */
export async function pauseFor(
  { parts, chat, t, language }: Conversation,
  people: readonly ChatPerson[],
  isPaused: boolean,
): Promise<string | undefined> {
  const emails: string[] = [];
  for (const { userId, email } of people) {
    if (await setPaused(parts.sql, { userId, chatId: chat.id }, isPaused)) emails.push(email);
  }
  if (emails.length === 0) return undefined;
  return t(isPaused ? "paused_watch" : "resumed_watch", { people: formatList(emails, language) });
}

async function mayDecide(conversation: Conversation): Promise<boolean> {
  const { parts, api, chat, speaker, t } = conversation;
  if ((await roleIn(api, chat, speaker)) !== "administrator") {
    await conversation.reply(t("administrators_only"));
    return false;
  }
  const people = await peopleConnectedTo(parts.sql, chat.id);
  if (people.length > 0) return true;
  await replyWithSite(conversation, [t("nobody_connected"), t("next_step_status")]);
  return false;
}
