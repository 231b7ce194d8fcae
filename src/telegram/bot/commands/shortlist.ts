import type { Context } from "grammy";
import { RECEIVES, type Receives } from "#core/alert/chat.ts";
import { replyUnconnected } from "../conversation/can-start.ts";
import { button, type Conversation } from "../conversation/conversation.ts";
import { showText } from "../conversation/edit-message.ts";
import { readReceives, setReceives } from "../rows/chat-people.ts";

const WORDS = { everything: "everything", kept: "kept", "kept-by-two": "pair" } as const;

/** /shortlist: chooses whether the chat gets everything, only kept homes, or only homes that two people kept. */
export async function shortlist(conversation: Conversation): Promise<void> {
  const { parts, chat, t, plain, reply } = conversation;
  const current = await readReceives(parts.sql, chat.id);
  if (current === undefined) return replyUnconnected(conversation);
  const rows = RECEIVES.map((receives) => [
    button(`${receives === current ? "✓ " : ""}${plain(`shortlist_${WORDS[receives]}`)}`, {
      act: "receives",
      receives,
    }),
  ]);
  await reply(t("shortlist_question"), rows);
}

export async function pressReceives(
  { parts, chat, t, plain }: Conversation,
  ctx: Context,
  receives: Receives,
): Promise<string> {
  if ((await setReceives(parts.sql, chat.id, receives)) === 0) return plain("note_dead_button");
  await showText(ctx, t(`shortlist_chosen_${WORDS[receives]}`));
  return plain(`shortlist_chosen_${WORDS[receives]}`);
}
