import { escapeHtml } from "#core/escape-html.ts";
import { stopChat } from "#store/chats/consent.ts";
import type { BotChat } from "../chats/telegram-chat.ts";
import type { Conversation } from "../conversation.ts";
import { replyWithSite } from "../conversation.ts";
import { COMMAND_NAMES, type CommandName, isCommandName } from "./command-menu.ts";
import { language } from "./language.ts";
import { latest } from "./latest.ts";
import { pause, resume } from "./pause.ts";
import { id, start } from "./start.ts";
import { status } from "./status.ts";

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

/** /help: every command with what it does, and how a group is told. */
async function help({ parts, t, reply }: Conversation): Promise<void> {
  const commands = COMMAND_NAMES.map((name) => `/${name} · ${t(`command_${name}`)}`).join("\n");
  const link = `<a href="${escapeHtml(`${parts.linkUrl}/${parts.username}?startgroup=`)}">@${parts.username}</a>`;
  await reply([t("help_title"), commands, `${t("help_group")} ${link}`].join("\n\n"));
}

/** /stop: nobody's alerts come here from now on. No sign-in, no question, any member: a way out is a way out. */
async function stop(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  const stopped = await stopChat(parts.sql, chat.id);
  parts.logger.info({ stopped, kind: chat.kind }, "a chat was disconnected from everyone");
  if (stopped === 0) return conversation.reply(t("stop_nothing"));
  await replyWithSite(conversation, [t("stop_done"), t("stop_return")]);
}

export interface Command {
  /** In lower case, without the slash. */
  readonly name: string;
  readonly argument: string;
}

/** Undefined for what is no command, or one for another bot. Capitals are forgiven: phones write them by themselves. */
export function parseCommand(text: string, username: string): Command | undefined {
  const [, name = "", addressee, argument = ""] = /^\s*\/(\w+)(?:@(\w+))?(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === "") return undefined;
  if (addressee !== undefined && addressee.toLowerCase() !== username.toLowerCase()) return undefined;
  return { name: name.toLowerCase(), argument: argument.trim() };
}
