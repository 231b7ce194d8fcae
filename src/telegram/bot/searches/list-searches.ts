import { escapeHtml } from "#core/escape-html.ts";
import { statusLines } from "../chats/status-lines.ts";
import { questionsRow, replyUnconnected } from "../conversation/can-start.ts";
import { button, type Conversation, inPairs, type Shown } from "../conversation/conversation.ts";
import { cut, searchNameInChat, sentenceOfUrl } from "../conversation/search-words.ts";
import { confirmedPeople } from "../rows/chat-people.ts";
import { type ChatSearch, searchesOf } from "../rows/saved-searches.ts";

/** Ten searches with this limit fit into one message. */
const LONGEST_SENTENCE = 160;
const LONGEST_BUTTON = 36;

/** /searches: a message for each account, with a button for each of its searches. */
export async function searches(conversation: Conversation): Promise<void> {
  const { parts, chat } = conversation;
  if ((await confirmedPeople(parts.sql, chat.id)).length === 0) return replyUnconnected(conversation);
  for (const { html, rows } of await searchLists(conversation)) {
    await conversation.reply(html, rows);
  }
}

/** One list for each account with searches in this chat, or a hint how to create one. */
export async function searchLists(conversation: Conversation): Promise<readonly Shown[]> {
  const { parts, chat, t } = conversation;
  const all = await searchesOf(parts.sql, chat);
  if (all.length === 0) {
    const rows = chat.kind === "private" ? [questionsRow(conversation)] : [];
    return [{ html: [t("status_no_filter"), t("searches_hint")].join("\n"), rows }];
  }
  const people = [...new Set(all.map(({ userId }) => userId))];
  return people.map((userId) =>
    listOf(
      conversation,
      all.filter((search) => search.userId === userId),
      people.length > 1,
    ),
  );
}

function listOf(conversation: Conversation, own: readonly ChatSearch[], isOneOfSeveral: boolean): Shown {
  const { t, language } = conversation;
  const whose = isOneOfSeveral ? `\n${escapeHtml(own[0]?.account ?? "")}` : "";
  const blocks = own.map((search) => {
    const sentence = sentenceOfUrl(search.filterUrl, language, LONGEST_SENTENCE);
    return [
      `${search.number}. <b>${escapeHtml(searchNameInChat(search, language))}</b>`,
      ...(sentence === undefined ? [] : [escapeHtml(sentence)]),
      ...statusLines(conversation, search).slice(0, 1),
    ].join("\n");
  });
  const buttons = own.map((search) =>
    button(cut(`${search.number}. ${searchNameInChat(search, language, "short")}`, LONGEST_BUTTON), {
      act: "open-search",
      searchId: search.searchId,
    }),
  );
  return { html: [`<b>${t("searches_title")}</b>${whose}`, ...blocks].join("\n\n"), rows: inPairs(buttons) };
}
