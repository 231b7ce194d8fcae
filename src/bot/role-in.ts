import { type Api, GrammyError } from "grammy";
import type { BotChat } from "./chat-of.ts";
import type { Speaker } from "./conversation.ts";

export type Role = "administrator" | "member" | "stranger";

/** What somebody is in a chat, asked of Telegram at this moment: rights are taken away as they are given. */
export async function roleIn(api: Api, chat: BotChat, speaker: Speaker): Promise<Role> {
  if (speaker.is === "chat") return "administrator";
  if (chat.kind === "private") return String(speaker.id) === chat.id ? "administrator" : "stranger";
  try {
    const member = await api.getChatMember(chat.id, speaker.id);
    if (member.status === "creator" || member.status === "administrator") return "administrator";
    const isInside = member.status === "member" || (member.status === "restricted" && member.is_member);
    return isInside ? "member" : "stranger";
  } catch (error) {
    // Telegram knows nobody by that id there.
    if (error instanceof GrammyError && error.error_code === 400) return "stranger";
    throw error;
  }
}
