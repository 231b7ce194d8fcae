import type { BotChat } from "./chat-of.ts";
import { type CommandName, isCommandName } from "./command-menu.ts";
import { help } from "./commands/help.ts";
import { language } from "./commands/language.ts";
import { latest } from "./commands/latest.ts";
import { pause, resume } from "./commands/pause.ts";
import { id, start } from "./commands/start.ts";
import { status } from "./commands/status.ts";
import { stop } from "./commands/stop.ts";
import { type Conversation, replyWithSite } from "./conversation.ts";
import { parseCommand } from "./parse-command.ts";

const COMMANDS: Readonly<
  Record<CommandName, (conversation: Conversation, argument: string) => Promise<void>>
> = {
  start,
  id,
  status,
  latest,
  pause,
  resume,
  language,
  help,
  stop,
};

/** In groups and channels the bot minds its own commands alone; a private chat is always answered. */
export function isForTheBot(text: string, chat: BotChat, username: string): boolean {
  if (chat.kind === "private") return true;
  const command = parseCommand(text, username);
  return command !== undefined && isCommandName(command.name);
}

export async function answerMessage(conversation: Conversation, text: string): Promise<void> {
  const { parts, chat, t } = conversation;
  // Said to the bot alone, "stop" is as good as /stop.
  const spoken = chat.kind === "private" ? text.replace(/^\s*(?=[A-Za-z]+\s*$)/, "/") : text;
  const command = parseCommand(spoken, parts.username);
  if (command !== undefined && isCommandName(command.name)) {
    return COMMANDS[command.name](conversation, command.argument);
  }
  // The most likely mistake: the search is sent to the bot.
  if (/\bidealista\.(com|it|pt)\b/i.test(text)) return replyWithSite(conversation, [t("paste_on_the_site")]);
  await conversation.reply(t("not_understood"));
}
