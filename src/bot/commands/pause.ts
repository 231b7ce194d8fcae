import type { Language } from "#core/languages.ts";
import { type ChatPerson, peopleConnectedTo, setPaused } from "#store/chats/chat-people.ts";
import { muteChat, unmuteChat } from "#store/chats/conversations.ts";
import { formatList } from "#text/labels.ts";
import { roleIn } from "../chats/role-in.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";

/** /pause: in a private chat the watch itself rests; a group or channel is only told nothing of it. */
export async function pause(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  if (!(await mayDecide(conversation))) return;
  if (chat.kind !== "private") {
    await muteChat(parts.sql, chat.id, "infinity");
    return conversation.reply(t("paused_chat"));
  }
  const people = await setPaused(parts.sql, chat.id, true);
  if (people.length === 0) return replyWithSite(conversation, [t("status_no_filter")]);
  await conversation.reply(t("paused_watch", { people: namesOf(people, conversation.language) }));
}

/** /resume: undoes /pause, and "mute" along with it. */
export async function resume(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  if (!(await mayDecide(conversation))) return;
  await unmuteChat(parts.sql, chat.id, "mute-and-pause");
  if (chat.kind !== "private") return conversation.reply(t("resumed_chat"));
  const people = await setPaused(parts.sql, chat.id, false);
  if (people.length === 0) return replyWithSite(conversation, [t("status_no_filter")]);
  await conversation.reply(t("resumed_watch", { people: namesOf(people, conversation.language) }));
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

function namesOf(people: readonly ChatPerson[], language: Language): string {
  return formatList(
    people.map(({ email }) => email),
    language,
  );
}
