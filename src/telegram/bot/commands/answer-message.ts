import { escapeHtml } from "#core/escape-html.ts";
import { answerDeleteQuestion, deleteInChat, exportInChat, isDeleteWord } from "../account/own-account.ts";
import { mayDo } from "../chats/confirmed-only.ts";
import { roleIn } from "../chats/role-in.ts";
import type { BotChat } from "../chats/telegram-chat.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";
import { answerPlaceQuestion } from "../finds/own-places.ts";
import { note, noteByReply } from "../finds/write-note.ts";
import { offerLinks, watch } from "../links/offer-links.ts";
import { type ReceivedText, readLinks } from "../links/read-links.ts";
import { answerQuestionByText } from "../questions/answer-questions.ts";
import { stopChat } from "../rows/consent.ts";
import { rules } from "../rules/rules.ts";
import { searches } from "../searches/list-searches.ts";
import { answerNameQuestion, rename } from "../searches/rename.ts";
import { canStart, questionsRow } from "../start/can-start.ts";
import { ACCOUNT_COMMANDS, type CommandName, isCommandName, MENU } from "./command-menu.ts";
import { language } from "./language.ts";
import { latest } from "./latest.ts";
import { pause, resume } from "./pause.ts";
import { shortlist } from "./shortlist.ts";
import { id, start } from "./start.ts";
import { status } from "./status.ts";

const COMMANDS: Readonly<
  Record<CommandName, (conversation: Conversation, argument: string, received: ReceivedText) => Promise<void>>
> = {
  start,
  id,
  searches,
  rules,
  watch,
  status,
  latest,
  shortlist,
  pause,
  resume,
  language,
  web,
  help,
  stop,
  rename,
  note,
  export: exportInChat,
  delete: deleteInChat,
};

/** In a group or channel these need an administrator. The owner of a private chat is one. */
const ADMINISTRATORS_ONLY: readonly CommandName[] = [
  ...(["searches", "rules", "rename", "watch", "note", "language", "shortlist", "pause", "resume"] as const),
];

/** A private chat is always answered. In groups and channels the bot reacts only to its own commands. */
export function isForTheBot(received: ReceivedText, chat: BotChat, username: string): boolean {
  if (chat.kind === "private") return !received.isForwarded || hasLink(received);
  const command = parseCommand(received.text, username);
  return !received.isForwarded && command !== undefined && isCommandName(command.name);
}

export async function answerMessage(conversation: Conversation, received: ReceivedText): Promise<void> {
  const { parts, chat } = conversation;
  if (received.isForwarded) return offerLinks(conversation, received);
  // In a private chat "stop" without the slash means /stop.
  const spoken =
    chat.kind === "private" ? received.text.replace(/^\s*(?=[A-Za-z]+\s*$)/, "/") : received.text;
  const repliedToId = received.text.trim().startsWith("/") ? undefined : received.repliedToId;
  if (repliedToId !== undefined) {
    if (await answerNameQuestion(conversation, repliedToId, received.text)) return;
    if (await answerPlaceQuestion(conversation, received)) return;
  }
  // The word for /delete is also the name of that command.
  if (isDeleteWord(conversation, received.text) && (await answerDeleteQuestion(conversation, received.text)))
    return;
  const command = parseCommand(spoken, parts.username);
  if (command !== undefined && isCommandName(command.name)) {
    return runCommand(conversation, { name: command.name, argument: command.argument, received });
  }
  if (hasLink(received)) return offerLinks(conversation, received);
  if (repliedToId !== undefined && (await noteByReply(conversation, repliedToId, received.text))) return;
  await answerPlainText(conversation, received.text);
}

/** A text without command or link answers the bot's latest question. */
async function answerPlainText(conversation: Conversation, text: string): Promise<void> {
  const { chat, t } = conversation;
  if (await answerDeleteQuestion(conversation, text)) return;
  if (await answerQuestionByText(conversation, text)) return;
  await conversation.reply(t("not_understood"), chat.kind === "private" ? [questionsRow(conversation)] : []);
}

async function runCommand(
  conversation: Conversation,
  { name, argument, received }: { name: CommandName; argument: string; received: ReceivedText },
): Promise<void> {
  const { api, chat, speaker, t } = conversation;
  if (!(await mayDo(conversation, name))) return;
  if (ADMINISTRATORS_ONLY.includes(name) && (await roleIn(api, chat, speaker)) !== "administrator") {
    return conversation.reply(t("administrators_only"));
  }
  await COMMANDS[name](conversation, argument, received);
}

function hasLink(received: ReceivedText): boolean {
  const { links, refusal } = readLinks(received);
  return links.length > 0 || refusal !== undefined;
}

/** /help: lists the commands and explains how to add the bot to a group. */
async function help({ parts, chat, t, reply }: Conversation): Promise<void> {
  const listed = chat.kind === "private" ? [...MENU, ...ACCOUNT_COMMANDS] : MENU;
  const commands = listed.map((name) => `/${name} · ${t(`command_${name}`)}`).join("\n");
  const link = `<a href="${escapeHtml(`${parts.linkUrl}/${parts.username}?startgroup=`)}">@${parts.username}</a>`;
  await reply([t("help_title"), commands, t("searches_hint"), `${t("help_group")} ${link}`].join("\n\n"));
}

/** /web: opens the website. The link signs nobody in, so it may stand in any chat. */
function web(conversation: Conversation): Promise<void> {
  return replyWithSite(conversation, [conversation.t("web_hint")]);
}

/** /stop: disconnects the chat from all accounts. Any member may do it, without confirmation. */
async function stop(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  const stopped = await stopChat(parts.sql, chat.id);
  parts.logger.info({ stopped, kind: chat.kind }, "a chat was disconnected from all accounts");
  if (stopped === 0) return conversation.reply(t("stop_nothing"));
  if (canStart(conversation)) return conversation.reply([t("stop_done"), t("stop_return_here")].join("\n\n"));
  await replyWithSite(conversation, [t("stop_done"), t("stop_return")]);
}

export interface Command {
  /** In lower case, without the slash. */
  readonly name: string;
  readonly argument: string;
}

/** Returns undefined if the text is not a command or is for another bot. Ignores case: phones capitalise the first letter. */
export function parseCommand(text: string, username: string): Command | undefined {
  const [, name = "", addressee, argument = ""] = /^\s*\/(\w+)(?:@(\w+))?(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === "") return undefined;
  if (addressee !== undefined && addressee.toLowerCase() !== username.toLowerCase()) return undefined;
  return { name: name.toLowerCase(), argument: argument.trim() };
}
