import type { Api } from "grammy";
import type { BotCommand, LanguageCode } from "grammy/types";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { botTexts } from "../texts.ts";

export const MENU = [
  "start",
  "id",
  "searches",
  "rules",
  "watch",
  "status",
  "latest",
  "shortlist",
  "pause",
  "resume",
  "language",
  "web",
  "help",
  "stop",
] as const;

/** Not in the menu because they are seldom needed. /help lists them in a private chat. */
export const SELDOM_USED = ["export", "delete"] as const;

/** Not in the menu because they need an argument. */
const OTHER_COMMANDS = ["rename", "note", ...SELDOM_USED] as const;

export type CommandName = (typeof MENU)[number] | (typeof OTHER_COMMANDS)[number];

const SCOPES = ["all_private_chats", "all_group_chats"] as const;

export function isCommandName(text: string): text is CommandName {
  return ([...MENU, ...OTHER_COMMANDS] as readonly string[]).includes(text);
}

/** Shows the menu of one chat in the language it chose. */
export async function showMenuIn(api: Api, chatId: string, language: Language): Promise<void> {
  await api.setMyCommands(commandsIn(language), { scope: { type: "chat", chat_id: chatId } });
}

/** Registers menus and descriptions in all languages. Sends only what differs, because Telegram limits changes. */
export async function registerMenus(api: Api, signal: AbortSignal): Promise<void> {
  for (const language of LANGUAGES) {
    if (signal.aborted) return;
    const t = botTexts(language);
    // English is the default for all other languages.
    const which: { language_code?: LanguageCode } = language === "en" ? {} : { language_code: language };
    for (const type of SCOPES) {
      const options = { ...which, scope: { type } };
      const shown = await api.getMyCommands(options);
      const commands = commandsIn(language);
      if (JSON.stringify(shown.map(pairOf)) !== JSON.stringify(commands.map(pairOf))) {
        await api.setMyCommands(commands, options);
      }
    }
    const { description } = await api.getMyDescription(which);
    if (description !== t("about")) await api.setMyDescription(t("about"), which);
    const { short_description } = await api.getMyShortDescription(which);
    if (short_description !== t("about_short")) await api.setMyShortDescription(t("about_short"), which);
  }
}

function commandsIn(language: Language): BotCommand[] {
  const t = botTexts(language);
  return MENU.map((command) => ({ command, description: t(`command_${command}`) }));
}

function pairOf({ command, description }: BotCommand): [string, string] {
  return [command, description];
}
