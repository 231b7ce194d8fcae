import type { Context } from "grammy";
import { escapeHtml } from "#core/escape-html.ts";
import { timeOfDay } from "#text/moments.ts";
import type { SEARCH_BUTTONS } from "../../buttons/search-buttons.ts";
import { alertCounts, statusLines } from "../chats/status-lines.ts";
import { button, type Conversation, type Shown } from "../conversation/conversation.ts";
import { showButtons, showText, toggled } from "../conversation/edit-message.ts";
import { linkedWords, searchNameInChat, sentenceOfUrl } from "../conversation/search-words.ts";
import {
  type ChatSearch,
  deleteSavedSearch,
  muteSearch,
  noteNameQuestion,
  searchesOf,
  setSearchPaused,
  setSearchTopic,
} from "../rows/saved-searches.ts";
import { searchLists } from "./list-searches.ts";

const MUTE_MS = 8 * 3_600_000;

type SearchAct = Exclude<keyof typeof SEARCH_BUTTONS, "list-searches">;

/** A button about one search. The store returns only searches that this chat may change. */
export async function pressSearch(
  conversation: Conversation,
  ctx: Context,
  { act, searchId }: { readonly act: SearchAct; readonly searchId: string },
): Promise<string> {
  const { parts, chat, t, plain, language } = conversation;
  const found = (await searchesOf(parts.sql, chat)).find((search) => search.searchId === searchId);
  if (found === undefined) return plain("note_search_gone");
  const target = { chat, searchId };
  const name = searchNameInChat(found, language);
  switch (act) {
    case "open-search":
      await show(conversation, ctx, cardOf(conversation, found));
      return "";
    case "pause-search":
    case "resume-search": {
      const isPaused = await setSearchPaused(parts.sql, target, act === "pause-search");
      if (isPaused === undefined) return plain("note_search_gone");
      if (isPaused && act === "resume-search") return plain("too_many_searches");
      await show(conversation, ctx, cardOf(conversation, { ...found, isPaused }));
      return plain(isPaused ? "note_search_paused" : "note_search_resumed");
    }
    case "rename-search":
      return askForName(conversation, found);
    case "delete-search":
      await showText(ctx, t("delete_question", { name }), [
        [button(plain("delete_yes"), { act: "delete-search-now", searchId })],
        [button(plain("delete_no"), { act: "open-search", searchId })],
      ]);
      return "";
    case "delete-search-now":
      if (!(await deleteSavedSearch(parts.sql, target))) return plain("note_search_gone");
      await showText(ctx, t("search_deleted", { name }), [
        [button(plain("all_searches"), { act: "list-searches" })],
      ]);
      return plain("note_search_deleted");
    case "topic-here":
    case "topic-none":
      return chooseTopic(conversation, ctx, { search: found, isHere: act === "topic-here" });
    case "mute-search":
    case "unmute-search":
      return muteOne(conversation, ctx, { search: found, isMute: act === "mute-search" });
  }
}

/** Replaces the card of a search by the list of all searches. */
export async function pressList(conversation: Conversation, ctx: Context): Promise<string> {
  const [list, ...others] = await searchLists(conversation);
  if (list !== undefined) await show(conversation, ctx, list);
  for (const { html, rows } of others) await conversation.reply(html, rows);
  return "";
}

/** Edits the message with the button, or sends a new one if that message is too old. */
async function show(conversation: Conversation, ctx: Context, { html, rows }: Shown): Promise<void> {
  if (!(await showText(ctx, html, rows))) await conversation.reply(html, rows);
}

function cardOf(conversation: Conversation, search: ChatSearch): Shown {
  const { plain, language, chat, threadId } = conversation;
  const { searchId, isPaused, filterUrl, topicId } = search;
  const sentence = sentenceOfUrl(filterUrl, language);
  const lines = [
    `<b>${escapeHtml(searchNameInChat(search, language))}</b>`,
    ...(sentence === undefined ? [] : [linkedWords(filterUrl, sentence)]),
    ...statusLines(conversation, search),
    alertCounts(conversation, search),
  ];
  const isMuted = search.mutedUntil !== null && search.mutedUntil.getTime() > conversation.parts.now();
  const rows = [
    [
      isPaused
        ? button(plain("search_resume"), { act: "resume-search", searchId })
        : button(plain("search_pause"), { act: "pause-search", searchId }),
      ...(search.isReceiver ? [muteButton(conversation, searchId, isMuted)] : []),
    ],
    [
      button(plain("search_rename"), { act: "rename-search", searchId }),
      button(plain("search_delete"), { act: "delete-search", searchId }),
    ],
  ];
  // Groups have topics, and private chats if the bot and the person have switched them on.
  if (chat.kind !== "channel" && search.isReceiver) {
    if (threadId !== undefined && topicId !== String(threadId)) {
      rows.push([button(plain("topic_here"), { act: "topic-here", searchId })]);
    } else if (topicId !== null) rows.push([button(plain("topic_none"), { act: "topic-none", searchId })]);
  }
  rows.push([button(plain("rules_title"), { act: "rules-search", searchId })]);
  rows.push([button(`‹ ${plain("all_searches")}`, { act: "list-searches" })]);
  return { html: lines.join("\n"), rows };
}

function muteButton({ plain }: Conversation, searchId: string, isMuted: boolean) {
  return isMuted
    ? button(`✓ ${plain("mute")}`, { act: "unmute-search", searchId })
    : button(plain("mute"), { act: "mute-search", searchId });
}

/** In a group a forced reply would open the keyboard of every member, so there the name is set by a command. */
async function askForName(conversation: Conversation, search: ChatSearch): Promise<string> {
  const { parts, chat, t, plain, language } = conversation;
  if (chat.kind !== "private") return plain("rename_by_command", { number: search.number });
  const messageId = await conversation.ask(
    t("rename_question", { name: searchNameInChat(search, language) }),
  );
  await noteNameQuestion(parts.sql, { chatId: chat.id, messageId, searchId: search.searchId });
  return "";
}

async function chooseTopic(
  conversation: Conversation,
  ctx: Context,
  { search, isHere }: { search: ChatSearch; isHere: boolean },
): Promise<string> {
  const { parts, chat, plain, threadId } = conversation;
  if (isHere && threadId === undefined) return plain("note_dead_button");
  const topicId = isHere && threadId !== undefined ? threadId : null;
  const target = { chat, searchId: search.searchId };
  if (!(await setSearchTopic(parts.sql, target, topicId))) return plain("note_search_gone");
  await show(
    conversation,
    ctx,
    cardOf(conversation, { ...search, topicId: topicId === null ? null : String(topicId) }),
  );
  return plain(isHere ? "note_topic_here" : "note_topic_none");
}

async function muteOne(
  conversation: Conversation,
  ctx: Context,
  { search, isMute }: { search: ChatSearch; isMute: boolean },
): Promise<string> {
  const { parts, chat, plain, language } = conversation;
  const { searchId } = search;
  const wanted = isMute ? new Date(parts.now() + MUTE_MS) : null;
  const until = await muteSearch(parts.sql, { chat, searchId }, wanted);
  if (until === undefined) return plain("note_search_gone");
  const [pressed, other] = [!isMute, isMute].map((isMuted) => muteButton(conversation, searchId, isMuted));
  await showButtons(ctx, toggled(ctx, pressed?.callback_data ?? "", other?.callback_data ?? "", isMute));
  const name = searchNameInChat(search, language);
  return isMute
    ? plain("note_search_muted", { name, time: timeOfDay(until, language) })
    : plain("note_search_unmuted", { name });
}
