import type { Context } from "grammy";
import { timeOfDay } from "#text/moments.ts";
import { muteChat, unmuteChat } from "../../rows/conversations.ts";
import { button, type Conversation } from "../conversation/conversation.ts";
import { showButtons, swap } from "../conversation/edit-message.ts";

const MUTE_MS = 8 * 3_600_000;

/** Holds the chat's alerts for some hours. */
export async function mute({ parts, chat, plain, language }: Conversation, ctx: Context): Promise<string> {
  const until = await muteChat(parts.sql, chat.id, new Date(parts.now() + MUTE_MS));
  await showButtons(
    ctx,
    swap(ctx, button(plain("mute"), { act: "mute" }), button(plain("button_muted"), { act: "unmute" })),
  );
  return until === undefined
    ? plain("note_paused")
    : plain("note_muted", { time: timeOfDay(until, language) });
}

export async function unmute({ parts, chat, plain }: Conversation, ctx: Context): Promise<string> {
  await unmuteChat(parts.sql, chat.id, "mute");
  await showButtons(
    ctx,
    swap(ctx, button(plain("button_muted"), { act: "unmute" }), button(plain("mute"), { act: "mute" })),
  );
  return plain("note_unmuted");
}
