import { stopChat } from "#store/chat-people.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";

/** /stop: nobody's alerts come here from now on. No sign-in, no question, any member: a way out is a way out. */
export async function stop(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  const stopped = await stopChat(parts.sql, chat.id);
  parts.logger.info({ stopped, kind: chat.kind }, "a chat was disconnected from everyone");
  if (stopped === 0) return conversation.reply(t("stop_nothing"));
  await replyWithSite(conversation, [t("stop_done"), t("stop_return")]);
}
