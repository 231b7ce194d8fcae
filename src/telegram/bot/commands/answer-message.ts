import { escapeHtml } from "#core/escape-html.ts";
import { stopChat } from "#store/chats/consent.ts";
import { mayDo } from "../chats/confirmed-only.ts";
import type { BotChat } from "../chats/telegram-chat.ts";
import type { Conversation } from "../conversation.ts";
import { replyWithSite } from "../conversation.ts";
import { answerPlaceQuestion } from "../finds/own-places.ts";
import { note, noteByReply } from "../finds/write-note.ts";
import { offerLinks, watch } from "../links/offer-links.ts";
import { readLinks, type Said } from "../links/read-links.ts";
import { searches } from "../searches/list-searches.ts";
import { answerNameQuestion, rename } from "../searches/rename.ts";
import { type CommandName, isCommandName, MENU } from "./command-menu.ts";
import { language } from "./language.ts";
import { latest } from "./latest.ts";
import { pause, resume } from "./pause.ts";
import { id, start } from "./start.ts";
import { status } from "./status.ts";

const COMMANDS: Readonly<
  Record<CommandName, (conversation: Conversation, argument: string, said: Said) => Promise<void>>
> = {
  start,
  id,
  searches,
  watch,
  status,
  latest,
  pause,
  resume,
  language,
  help,
  stop,
  rename,
  note,
};

/** In groups and channels the bot minds its own commands alone; a private chat is always answered. */
export function isForTheBot(said: Said, chat: BotChat, username: string): boolean {
  if (chat.kind === "private") return !said.isForwarded || hasLink(said);
  const command = parseCommand(said.text, username);
  return !said.isForwarded && command !== undefined && isCommandName(command.name);
}

export async function answerMessage(conversation: Conversation, said: Said): Promise<void> {
  const { parts, chat, t } = conversation;
  if (said.isForwarded) return offerLinks(conversation, said);
  // Said to the bot alone, "stop" is as good as /stop.
  const spoken = chat.kind === "private" ? said.text.replace(/^\s*(?=[A-Za-z]+\s*$)/, "/") : said.text;
  const repliedToId = said.text.trim().startsWith("/") ? undefined : said.repliedToId;
  if (repliedToId !== undefined) {
    if (await answerNameQuestion(conversation, repliedToId, said.text)) return;
    if (await answerPlaceQuestion(conversation, said)) return;
  }
  const command = parseCommand(spoken, parts.username);
  if (command !== undefined && isCommandName(command.name)) {
    if (!(await mayDo(conversation, command.name))) return;
    return COMMANDS[command.name](conversation, command.argument, said);
  }
  if (hasLink(said)) return offerLinks(conversation, said);
  if (repliedToId !== undefined && (await noteByReply(conversation, repliedToId, said.text))) return;
  await conversation.reply(t("not_understood"));
}

function hasLink(said: Said): boolean {
  const { links, refusal } = readLinks(said);
  return links.length > 0 || refusal !== undefined;
}

/** /help: every command with what it does, and how a group is told. */
async function help({ parts, t, reply }: Conversation): Promise<void> {
  const commands = MENU.map((name) => `/${name} · ${t(`command_${name}`)}`).join("\n");
  const link = `<a href="${escapeHtml(`${parts.linkUrl}/${parts.username}?startgroup=`)}">@${parts.username}</a>`;
  await reply([t("help_title"), commands, t("searches_hint"), `${t("help_group")} ${link}`].join("\n\n"));
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
