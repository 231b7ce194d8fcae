import type { ChatMember } from "grammy/types";
import { type Standing, setStanding } from "#store/chats.ts";
import { findChatLanguages, meetChat } from "#store/conversations.ts";
import type { BotParts } from "./bot-parts.ts";
import type { BotChat } from "./chat-of.ts";

/** The bot was let in, thrown out, blocked or given rights. Answers whether it can write there now. */
export async function followMembership(
  { sql }: BotParts,
  chat: BotChat,
  member: ChatMember,
): Promise<boolean> {
  const standing = standingOf(chat, member);
  // A chat nobody knows has nobody to tell: a group that moved says good-bye under its former id.
  if (standing.state !== "ok" && (await findChatLanguages(sql, chat.id)) === undefined) return false;
  await meetChat(sql, { ...chat, telegramLanguage: undefined });
  await setStanding(sql, chat.id, standing);
  return standing.state === "ok";
}

export function standingOf({ kind }: BotChat, member: ChatMember): Standing {
  switch (member.status) {
    case "creator":
    case "member":
      // Channels are written to by administrators alone.
      return kind === "channel" ? { state: "unreachable", reason: "no-rights" } : { state: "ok" };
    case "administrator":
      return kind === "channel" && member.can_post_messages !== true
        ? { state: "unreachable", reason: "no-rights" }
        : { state: "ok" };
    case "restricted":
      if (!member.is_member) return { state: "unreachable", reason: "left" };
      return member.can_send_messages ? { state: "ok" } : { state: "unreachable", reason: "no-rights" };
    case "left":
      return { state: "unreachable", reason: "left" };
    case "kicked":
      return kind === "private" ? { state: "blocked" } : { state: "unreachable", reason: "kicked" };
  }
}
