import { escapeHtml } from "#core/escape-html.ts";
import { timeOfDay } from "#text/moments.ts";
import { muteStateOf } from "../../rows/conversations.ts";
import { askForConfirmation } from "../chats/ask-for-consent.ts";
import { alertCounts, statusLines } from "../chats/status-lines.ts";
import { replyUnconnected } from "../conversation/can-start.ts";
import { type Conversation, joinedBlocks, replyWithSite } from "../conversation/conversation.ts";
import { searchNameInChat, sentenceOfUrl } from "../conversation/search-words.ts";
import { type ChatPerson, peopleConnectedTo } from "../rows/chat-people.ts";
import { searchesOf } from "../rows/saved-searches.ts";
import type { SearchState } from "../rows/watch-state.ts";
import { tellQuietZone } from "./quiet-zone.ts";

/** /status: the status of the searches of each account that the chat confirmed. */
export async function status(conversation: Conversation): Promise<void> {
  const { parts, chat } = conversation;
  const people = await peopleConnectedTo(parts.sql, chat.id);
  if (people.length === 0) return replyUnconnected(conversation);
  const blocks: string[] = [];
  const searches = await searchesOf(parts.sql, chat);
  for (const person of people) {
    const own = searches.filter(({ userId }) => userId === person.userId);
    if (person.access === "confirmed") blocks.push(blockOf(conversation, person, own));
  }
  const mute = await muteLine(conversation);
  const texts = joinedBlocks([...blocks, ...(mute === undefined ? [] : [mute])]);
  for (const text of texts.slice(0, -1)) await conversation.reply(text);
  const last = texts.at(-1);
  if (last !== undefined) await replyWithSite(conversation, [last]);
  for (const { access, userId } of people)
    if (access === "confirmed") await tellQuietZone(conversation, userId);
  await askForConfirmation(conversation);
}

function blockOf(
  conversation: Conversation,
  { account }: ChatPerson,
  states: readonly SearchState[],
): string {
  const heading = `<b>${escapeHtml(account)}</b>`;
  const [only, ...others] = states;
  if (only === undefined) return [heading, conversation.t("status_no_filter")].join("\n");
  if (others.length === 0) return [heading, ...linesOf(conversation, only)].join("\n");
  return [heading, ...states.map((state) => shortBlockOf(conversation, state))].join("\n\n");
}

function linesOf(conversation: Conversation, state: SearchState): string[] {
  const { language } = conversation;
  const sentence = sentenceOfUrl(state.filterUrl, language);
  return [
    ...(sentence === undefined ? [] : [escapeHtml(sentence)]),
    ...statusLines(conversation, state),
    alertCounts(conversation, state),
  ];
}

/** With several searches: the name, the summary of the status and the alert counts. */
function shortBlockOf(conversation: Conversation, state: SearchState): string {
  const { language } = conversation;
  return [
    `<b>${escapeHtml(searchNameInChat(state, language))}</b>`,
    ...statusLines(conversation, state).slice(0, 1),
    alertCounts(conversation, state),
  ].join("\n");
}

async function muteLine({ parts, chat, t, language }: Conversation): Promise<string | undefined> {
  const mute = await muteStateOf(parts.sql, chat.id, parts.now());
  if (mute.is === "for-a-while") return `🔕 ${t("chat_is_muted", { time: timeOfDay(mute.until, language) })}`;
  return mute.is === "none" ? undefined : `🔕 ${t("chat_is_paused")}`;
}
