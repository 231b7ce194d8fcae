import type { Context } from "grammy";
import type { CONSENT_BUTTONS } from "../../buttons/chat-buttons.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { showButtons, showText } from "../conversation/edit-message.ts";
import type { Presses } from "../conversation/subject.ts";
import { answerQuestion, connectGroup } from "../rows/consent.ts";

/** "yes" and "no": may this person's alerts be sent here? "me" and "not-me": is this already connected account yours? */
export const CONSENT_PRESSES = {
  yes: { run: answer, isForUnconfirmed: true },
  no: { run: answer, isForUnconfirmed: true },
  me: { run: answer, isForUnconfirmed: true },
  "not-me": { run: answer, isForUnconfirmed: true },
  "connect-group": { run: pressConnectGroup, isForUnconfirmed: true },
} as const satisfies Presses;

async function answer(
  { parts, chat, t, plain }: Conversation,
  ctx: Context,
  {
    act,
    userId,
  }: { readonly act: Exclude<keyof typeof CONSENT_BUTTONS, "connect-group">; readonly userId: string },
): Promise<string> {
  const { id: chatId, kind, title } = chat;
  const result = await answerQuestion(parts.sql, { chatId, userId, says: act, kind, title });
  parts.logger.info({ outcome: result.is, kind }, "a chat answered a consent question");
  switch (result.is) {
    case "connected":
      await showText(ctx, `✅ ${t("alerts_of", { people: result.account })} ${t("stop_hint")}`);
      return plain("note_connected");
    case "declined":
      await showText(ctx, t("question_declined", { account: result.account }));
      return plain("note_declined");
    case "chat-full":
      return plain("link_chat_full");
    case "person-full":
      return plain("note_dead_button");
    case "not-asked":
      // The question was answered elsewhere: remove its buttons.
      await showButtons(ctx, []);
      return plain("note_dead_button");
  }
}

/** The presser's own private chat has confirmed the account; the router has checked that they are an administrator here. */
async function pressConnectGroup(
  { parts, chat, speaker, t, plain }: Conversation,
  ctx: Context,
): Promise<string> {
  const { id: chatId, kind, title } = chat;
  if (speaker.is !== "person" || kind === "private") return plain("note_dead_button");
  const result = await connectGroup(parts.sql, { presserId: speaker.id, chatId, kind, title });
  parts.logger.info(
    { outcome: result.is, kind },
    "an administrator pressed the button that connects a group",
  );
  switch (result.is) {
    case "connected":
      await showText(ctx, `${t("link_connected", { account: result.account })} ${t("stop_hint")}`);
      return plain("note_connected");
    case "nobody":
      return plain("connect_group_nobody");
    case "several":
      return plain("next_step_status");
    case "chat-full":
      return plain("link_chat_full");
    case "person-full":
      return plain("connect_group_full");
  }
}
