import { type ButtonRows, button, type Conversation, replyWithSite } from "./conversation.ts";

/** Whether the owner of this private chat can make an account here. Nobody can in a group or channel. */
export function canStart({ parts, chat, speaker }: Conversation): boolean {
  return parts.canStartInChat && isOwnChat({ chat, speaker });
}

/** The private chat of the sender: Telegram gives both the same id. */
export function isOwnChat({ chat, speaker }: Pick<Conversation, "chat" | "speaker">): boolean {
  return chat.kind === "private" && speaker.is === "person" && String(speaker.id) === chat.id;
}

/** The way to a search without a link. */
export function questionsRow({ plain }: Pick<Conversation, "plain">): ButtonRows[number] {
  return [button(plain("questions_button"), { act: "questions" })];
}

/** The way from a group to the account of the administrator who presses it. Telegram names no presser in a channel's posts. */
export function groupRows({ chat, plain }: Pick<Conversation, "chat" | "plain">): ButtonRows {
  const isGroup = chat.kind === "group" || chat.kind === "supergroup";
  return isGroup ? [[button(plain("connect_group"), { act: "connect-group" })]] : [];
}

/** The next step of a chat that is connected to no account. */
export async function replyUnconnected(conversation: Conversation): Promise<void> {
  const { t } = conversation;
  if (!canStart(conversation)) {
    const rows = groupRows(conversation);
    const next = rows.length > 0 ? "connect_group_hint" : "next_step_status";
    return replyWithSite(conversation, [t("nobody_connected"), t(next)], { rows });
  }
  await conversation.reply([t("nobody_connected"), t("start_ways")].join("\n\n"), [
    questionsRow(conversation),
  ]);
}
