import { type Api, GrammyError } from "grammy";
import type { Speaker } from "./conversation.ts";
import type { BotChat } from "./telegram-chat.ts";

export type Role = "administrator" | "member" | "stranger";

/** Asks Telegram every time, because roles change. */
export async function roleIn(api: Api, chat: BotChat, speaker: Speaker): Promise<Role> {
  if (speaker.is === "chat") return "administrator";
  if (chat.kind === "private") return String(speaker.id) === chat.id ? "administrator" : "stranger";
  try {
    const member = await api.getChatMember(chat.id, speaker.id);
    if (member.status === "creator" || member.status === "administrator") return "administrator";
    const isInside = member.status === "member" || (member.status === "restricted" && member.is_member);
    return isInside ? "member" : "stranger";
  } catch (error) {
    if (!(error instanceof GrammyError && error.error_code === 400)) throw error;
    return roleByAdministrators(api, chat, { id: speaker.id, refusal: error.description });
  }
}

/** A group can hide its members from bots, but not its administrators. A sender in such a group is a member of it. */
async function roleByAdministrators(
  api: Api,
  chat: BotChat,
  { id, refusal }: { id: number; refusal: string },
): Promise<Role> {
  const isHidden = /member list is inaccessible|CHAT_ADMIN_REQUIRED/.test(refusal);
  if (!isHidden || chat.kind === "channel") return "stranger";
  const administrators = await api.getChatAdministrators(chat.id);
  return administrators.some(({ user }) => user.id === id) ? "administrator" : "member";
}
