import type { useTexts } from "#web/lib/i18n/use-texts.ts";
import type { Chat } from "./chat-calls.ts";

const SHOWN_DIGITS = 4;

/** The title of a chat is not shown until the chat has confirmed that it belongs to the account. */
export function chatName(
  t: ReturnType<typeof useTexts<"filter">>,
  id: string,
  chat: Chat | undefined,
): string {
  if (chat?.title) return chat.title;
  const wasConnected = chat !== undefined && chat.state !== "waiting" && chat.state !== "declined";
  return wasConnected
    ? t("chats.unconfirmed", { digits: id.slice(-SHOWN_DIGITS) })
    : t("chats.unnamed", { id });
}
