import type { Context } from "grammy";
import { formatMoment } from "#text/moments.ts";
import { canStart } from "../conversation/can-start.ts";
import { type Conversation, replyWithSite } from "../conversation/conversation.ts";
import { showButtons } from "../conversation/edit-message.ts";
import { startInChat } from "../rows/start-in-chat.ts";
import { linkInMessage, showWatched } from "./press-offer.ts";

/**
 * "Watch it" of a person who is connected to no account here: makes the account if this Telegram user has none, connects the
 * private chat and saves the search. The account is that of the sender, never one that the callback data names.
 */
export async function pressBegin(conversation: Conversation, ctx: Context): Promise<string> {
  const { parts, chat, language, t, plain } = conversation;
  if (!canStart(conversation)) return plain("note_dead_button");
  const link = linkInMessage(conversation, ctx);
  if (link?.is !== "search") return plain("note_send_again");
  const beginning = { telegramId: chat.id, name: chat.title, language, url: link.url };
  const begun = await startInChat(parts.sql, beginning, parts.now());
  parts.logger.info({ outcome: begun.outcome }, "a search was requested in a chat without an account");
  switch (begun.outcome) {
    case "added":
    case "same":
      return showWatched(conversation, ctx, { link, added: begun });
    case "slowed":
    case "busy": {
      const when = formatMoment(begun.freeAt, language, {
        timeZone: "Europe/Madrid",
        day: "numeric",
        month: "long",
        hour: "2-digit",
        minute: "2-digit",
      });
      await replyWithSite(conversation, [t(`begin_${begun.outcome}`, { when })]);
      return "";
    }
    case "too-many-searches":
      return plain("too_many_searches");
    case "chat-full":
      return plain("link_chat_full");
    case "person-full":
      return plain("link_person_full");
    case "not-connected":
      await showButtons(ctx, []);
      return plain("note_dead_button");
  }
}
