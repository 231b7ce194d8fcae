import type { Context } from "grammy";
import type { ChatMember } from "grammy/types";
import { DEFAULT_LANGUAGE } from "#core/languages.ts";
import { type Standing, setStanding } from "#store/chats/chats.ts";
import { findChatLanguages, meetChat } from "#store/chats/conversations.ts";
import { putQuestions } from "../chats/questions.ts";
import { type BotChat, chatOf, readLanguageCode } from "../chats/telegram-chat.ts";
import { type BotParts, createConversation } from "../conversation.ts";

/** The bot was let in, thrown out, blocked or given rights. A group that lets it in is asked what is open. */
export async function onMembership(parts: BotParts, ctx: Context): Promise<void> {
  const change = ctx.myChatMember;
  const chat = chatOf(change?.chat);
  if (change === undefined || chat === undefined) return;
  const standing = standingOf(chat, change.new_chat_member);
  const known = await findChatLanguages(parts.sql, chat.id);
  // A chat nobody knows has nobody to tell: a group that moved says good-bye under its former id.
  if (standing === undefined || (standing.state !== "ok" && known === undefined)) return;
  const code = readLanguageCode(change.from?.language_code);
  const { spoken } = await meetChat(parts.sql, { ...chat, telegramLanguage: code });
  await setStanding(parts.sql, chat.id, standing);
  // In a private chat /start follows, and asks.
  if (standing.state !== "ok" || chat.kind === "private") return;
  const language = spoken ?? DEFAULT_LANGUAGE;
  const speaker = { is: "person", id: change.from?.id ?? 0 } as const;
  await putQuestions(createConversation({ parts, api: ctx.api, chat, speaker, language }));
}

/** Undefined for a status that Telegram did not have when this was written. */
export function standingOf({ kind }: Pick<BotChat, "kind">, member: ChatMember): Standing | undefined {
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
    default:
      return undefined;
  }
}
