import type { Context } from "grammy";
import type { Conversation } from "../conversation/conversation.ts";
import { showButtons } from "../conversation/edit-message.ts";
import type { Commands, Presses } from "../conversation/subject.ts";
import { forgetQuestion } from "../rows/open-questions.ts";
import { watch } from "./offer-links.ts";
import { pressBegin } from "./press-begin.ts";
import { pressSimilar, pressUnwatch, pressWatch } from "./press-offer.ts";

export const LINKS_COMMANDS = {
  watch: { run: watch, isForAdministrators: true, isForNewcomers: true },
} as const satisfies Commands;

export const LINKS_PRESSES = {
  watch: {
    run: (conversation, ctx, { userId }) => pressWatch(conversation, ctx, userId),
    isForNewcomers: true,
  },
  unwatch: { run: (conversation, ctx, { userId }) => pressUnwatch(conversation, ctx, userId) },
  similar: { run: (conversation, ctx, { userId }) => pressSimilar(conversation, ctx, userId) },
  begin: { run: pressBegin, isForUnconfirmed: true },
  decline: { run: pressDecline, isForUnconfirmed: true },
} as const satisfies Presses;

/** Refuses the offered link. */
async function pressDecline({ parts, chat, plain }: Conversation, ctx: Context): Promise<string> {
  await forgetQuestion(parts.sql, chat.id);
  await showButtons(ctx, []);
  return plain("note_declined");
}
