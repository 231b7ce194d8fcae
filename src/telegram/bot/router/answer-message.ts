import { answerDeleteQuestion, isDeleteWord } from "../account/own-account.ts";
import { isCommandName } from "../commands/command-menu.ts";
import { questionsRow } from "../conversation/can-start.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { type ReceivedText, readLinks } from "../conversation/read-links.ts";
import type { SharedLocation } from "../conversation/shared-location.ts";
import type { BotChat } from "../conversation/telegram-chat.ts";
import { answerPlaceQuestion, askWhichPlace } from "../finds/own-places.ts";
import { noteByReply } from "../finds/write-note.ts";
import { offerLinks } from "../links/offer-links.ts";
import { answerQuestionByLocation, answerQuestionByText } from "../questions/answer-questions.ts";
import { answerNameQuestion } from "../searches/rename.ts";
import { runCommand } from "./router.ts";

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

function hasLink(received: ReceivedText): boolean {
  const { links, refusal } = readLinks(received);
  return links.length > 0 || refusal !== undefined;
}

/** It answers the question where to look, or becomes one of the user's places. */
export async function answerLocation(conversation: Conversation, shared: SharedLocation): Promise<void> {
  if (!(await answerQuestionByLocation(conversation, shared))) await askWhichPlace(conversation, shared);
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
