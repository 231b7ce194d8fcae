import { isLanguage, LANGUAGES, type Language } from "#core/languages.ts";
import { setChatLanguage } from "#store/chats/conversations.ts";
import { roleIn } from "../chats/role-in.ts";
import { button, type Conversation, inLanguage } from "../conversation.ts";
import { showMenuIn } from "./command-menu.ts";

/** Each in itself: who looks for their language may not read the one spoken now. */
const NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  es: "Español",
  ru: "Русский",
  de: "Deutsch",
  fr: "Français",
};

/** /language: five buttons, or the language at once by its code or name. */
export async function language(conversation: Conversation, argument: string): Promise<void> {
  const { api, chat, speaker, t } = conversation;
  if ((await roleIn(api, chat, speaker)) !== "administrator")
    return conversation.reply(t("administrators_only"));
  const asked = findLanguage(argument);
  if (asked !== undefined) {
    const spoken = await chooseLanguage(conversation, asked);
    return conversation.reply(spoken.t("language_chosen"));
  }
  const buttons = LANGUAGES.map((code) =>
    button(code === conversation.language ? `✓ ${NAMES[code]}` : NAMES[code], {
      act: "speak",
      language: code,
    }),
  );
  await conversation.reply(t("language_question"), {
    inline_keyboard: [buttons.slice(0, 2), buttons.slice(2, 4), buttons.slice(4)],
  });
}

/** Stores the choice; the menu of commands follows it, where Telegram lets it. */
export async function chooseLanguage(conversation: Conversation, chosen: Language): Promise<Conversation> {
  const { parts, api, chat } = conversation;
  await setChatLanguage(parts.sql, chat.id, chosen);
  if (chat.kind !== "channel") {
    await showMenuIn(api, chat.id, chosen).catch(() => undefined);
  }
  return inLanguage(conversation, chosen);
}

function findLanguage(text: string): Language | undefined {
  const asked = text.toLowerCase();
  if (isLanguage(asked)) return asked;
  return LANGUAGES.find((code) => NAMES[code].toLowerCase() === asked);
}
