import type { Api } from "grammy";
import type { BotCommand, LanguageCode, MenuButton } from "grammy/types";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, localizedPath } from "#core/languages.ts";
import { botTexts } from "../conversation/texts.ts";

/** What people need often, and /help for the others. */
export const MENU = ["start", "searches", "status", "pause", "resume", "language", "help", "stop"] as const;

/** Listed by /help after those of the menu. */
export const MORE_COMMANDS = ["watch", "rules", "latest", "shortlist", "id", "web"] as const;

/** Listed by /help in a private chat. */
export const SELDOM_USED = ["export", "delete"] as const;

/** Not in the menu because they need an argument. */
const OTHER_COMMANDS = ["rename", "note", ...MORE_COMMANDS, ...SELDOM_USED] as const;

export type CommandName = (typeof MENU)[number] | (typeof OTHER_COMMANDS)[number];

const SCOPES = ["all_private_chats", "all_group_chats"] as const;

export function isCommandName(text: string): text is CommandName {
  return ([...MENU, ...OTHER_COMMANDS] as readonly string[]).includes(text);
}

/** Shows the menu of one chat in the language it chose. */
export async function showMenuIn(api: Api, chatId: string, language: Language): Promise<void> {
  await api.setMyCommands(commandsIn(language), { scope: { type: "chat", chat_id: chatId } });
}

/** The button beside the input field opens the Mini App, and is named in the language that the chat chose. */
export async function showAppButtonIn(api: Api, chatId: string, app: AppButton): Promise<void> {
  await api.setChatMenuButton({ chat_id: Number(chatId), menu_button: menuButtonOf(app) });
}

export interface AppButton {
  /** Undefined where the Mini App is not offered. */
  readonly siteUrl: string | undefined;
  readonly language: Language;
}

function menuButtonOf({ siteUrl, language }: AppButton): MenuButton {
  if (siteUrl === undefined) return { type: "default" };
  const url = siteUrl + localizedPath("/app/finds", language);
  return { type: "web_app", text: botTexts(language)("app_button"), web_app: { url } };
}

/** For all chats that have none of their own. */
async function registerAppButton(api: Api, siteUrl: string | undefined): Promise<void> {
  const button = menuButtonOf({ siteUrl, language: DEFAULT_LANGUAGE });
  const shown = await api.getChatMenuButton();
  const isSame = shown.type === button.type || (shown.type === "commands" && button.type === "default");
  if (isSame && (button.type !== "web_app" || JSON.stringify(shown) === JSON.stringify(button))) return;
  await api.setChatMenuButton({ menu_button: button });
}

/** Registers menus and descriptions in all languages. Sends only what differs, because Telegram limits changes. */
export async function registerMenus(
  api: Api,
  appSiteUrl: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  await registerAppButton(api, appSiteUrl);
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
