import type { Api } from "grammy";
import type { Update } from "grammy/types";
import { chatOf } from "./chat-of.ts";
import { languageOf, readLanguageCode } from "./language-of.ts";
import { plainTexts } from "./texts.ts";

/** Somebody was not answered because something is broken here: at least they learn that it was not them. */
export async function apologise(api: Api, { message }: Update): Promise<void> {
  const chat = chatOf(message?.chat);
  const text: unknown = message?.text;
  if (chat === undefined || typeof text !== "string" || !text.startsWith("/")) return;
  const language = languageOf(undefined, readLanguageCode(message?.from?.language_code));
  await api.sendMessage(chat.id, plainTexts(language)("trouble")).catch(() => undefined);
}
