import { isLanguage, LANGUAGE_TRAITS, LANGUAGES, type Language } from "#core/languages.ts";
import { setChatLanguage } from "../../rows/conversations.ts";
import { button, type Conversation, inLanguage, inPairs } from "../conversation/conversation.ts";
import { showAppButtonIn, showMenuIn } from "./command-menu.ts";

/** /language: sets the language by its code or name, or shows a button for each. */
export async function language(conversation: Conversation, argument: string): Promise<void> {
  const asked = findLanguage(argument);
  if (asked !== undefined) {
    const spoken = await chooseLanguage(conversation, asked);
    return conversation.reply(spoken.t("language_chosen"));
  }
  const buttons = LANGUAGES.map((code) =>
    button(`${code === conversation.language ? "✓ " : ""}${LANGUAGE_TRAITS[code].name}`, {
      act: "speak",
      language: code,
    }),
  );
  await conversation.reply(conversation.t("language_question"), inPairs(buttons));
}

/** Stores the language and changes the chat's command menu if Telegram allows it. */
export async function chooseLanguage(conversation: Conversation, chosen: Language): Promise<Conversation> {
  const { parts, api, chat } = conversation;
  await setChatLanguage(parts.sql, chat.id, chosen);
  if (chat.kind !== "channel") {
    await showMenuIn(api, chat.id, chosen).catch(() => undefined);
  }
  if (chat.kind === "private") {
    const app = { siteUrl: parts.appSiteUrl, language: chosen };
    await showAppButtonIn(api, chat.id, app).catch(() => undefined);
  }
  return inLanguage(conversation, chosen);
}

function findLanguage(text: string): Language | undefined {
  const asked = text.toLowerCase();
  if (isLanguage(asked)) return asked;
  return LANGUAGES.find((code) => LANGUAGE_TRAITS[code].name.toLowerCase() === asked);
}
