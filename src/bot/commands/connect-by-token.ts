import { burnToken, connectByLink } from "#store/chats/consent.ts";
import { confirmationRow } from "../chats/questions.ts";
import { roleIn } from "../chats/role-in.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";

/** Connects the chat to whoever made the link on the website; each way this can fail has its own words. */
export async function connectByToken(conversation: Conversation, token: string): Promise<void> {
  const { parts, chat, t } = conversation;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(token)) return replyWithSite(conversation, [t("link_unknown")]);
  const role = await roleIn(conversation.api, chat, conversation.speaker);
  if (role !== "administrator") {
    // Everyone in the group has read the token by now.
    await burnToken(parts.sql, token, chat.id);
    return conversation.reply(t("link_administrators_only"));
  }
  const answer = await connectByLink(parts.sql, {
    token,
    chatId: chat.id,
    kind: chat.kind,
    title: chat.title,
  });
  parts.logger.info({ outcome: answer.is, kind: chat.kind }, "a chat came by a link");
  switch (answer.is) {
    case "connected":
    case "already-connected": {
      const key = answer.is === "connected" ? "link_connected" : "link_already_connected";
      const whose = `${t(key, { email: answer.email })} ${t("stop_hint")}`;
      const isSettled = answer.is === "already-connected" && answer.isConfirmed;
      const rows = isSettled ? [] : [confirmationRow(conversation, answer.userId)];
      if (!answer.hasFilter) return replyWithSite(conversation, [whose, t("link_one_step_left")], rows);
      return conversation.reply(whose, rows.length === 0 ? undefined : { inline_keyboard: rows });
    }
    case "chat-full":
      return conversation.reply(t("link_chat_full"));
    case "person-full":
      return replyWithSite(conversation, [t("link_person_full")]);
    case "expired":
      return replyWithSite(conversation, [t("link_expired")]);
    case "used":
      return replyWithSite(conversation, [t("link_used")]);
    case "unknown":
      return replyWithSite(conversation, [t("link_unknown")]);
  }
}
