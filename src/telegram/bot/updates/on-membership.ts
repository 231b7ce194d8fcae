import type { Context } from "grammy";
import type { ChatMember } from "grammy/types";
import { DEFAULT_LANGUAGE } from "#core/languages.ts";
import { type Standing, setStanding } from "../../rows/chats.ts";
import { findChatLanguages, meetChat } from "../../rows/conversations.ts";
import { askForConsent } from "../chats/ask-for-consent.ts";
import { groupRows } from "../conversation/can-start.ts";
import { type BotParts, type Conversation, createConversation } from "../conversation/conversation.ts";
import { type BotChat, chatOf, readLanguageCode } from "../conversation/telegram-chat.ts";
import { peopleConnectedTo } from "../rows/chat-people.ts";
import { peopleToAskAbout } from "../rows/consent.ts";

/** The bot was added, removed, blocked or given rights. A group that adds it is asked for consent, or offered to connect. */
export async function onMembership(parts: BotParts, ctx: Context): Promise<void> {
  const change = ctx.myChatMember;
  const chat = chatOf(change?.chat);
  if (change === undefined || chat === undefined) return;
  const standing = standingOf(chat, change.new_chat_member);
  const known = await findChatLanguages(parts.sql, chat.id);
  // Ignore the removal from an unknown chat. A group that became a supergroup also reports one for its old id.
  if (standing === undefined || (standing.state !== "ok" && known === undefined)) return;
  const code = readLanguageCode(change.from?.language_code);
  const { spoken } = await meetChat(parts.sql, { ...chat, telegramLanguage: code });
  await setStanding(parts.sql, chat.id, standing);
  // In a private chat /start follows and asks for consent.
  if (standing.state !== "ok" || chat.kind === "private") return;
  const language = spoken ?? DEFAULT_LANGUAGE;
  const speaker = { is: "person", id: change.from?.id ?? 0 } as const;
  const conversation = createConversation({ parts, api: ctx.api, chat, speaker, language });
  await askForConsent(conversation);
  if (known === undefined) await greetGroup(conversation);
}

/** A group that meets the bot gets the button that connects it, unless it was asked a question or is connected already. */
async function greetGroup(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  const rows = groupRows(conversation);
  if (rows.length === 0) return;
  if ((await peopleConnectedTo(parts.sql, chat.id)).length > 0) return;
  if ((await peopleToAskAbout(parts.sql, chat.id)).length > 0) return;
  await conversation.reply([t("hello"), t("connect_group_hint")].join("\n\n"), rows);
}

/** Returns undefined for a status that we do not know. */
export function standingOf({ kind }: Pick<BotChat, "kind">, member: ChatMember): Standing | undefined {
  switch (member.status) {
    case "creator":
    case "member":
      // Only administrators can post in a channel.
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
