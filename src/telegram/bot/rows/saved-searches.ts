/** A person's searches, as a chat that confirmed the account lists and changes them. */
import type { Sql } from "postgres";
import type { ChatKind } from "#core/alert/chat.ts";
import { readRules } from "#core/rules/rule.ts";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { type ChatPerson, confirmedPeople } from "./chat-people.ts";
import { type SearchState, watchStatesOf } from "./watch-state.ts";

export interface AskingChat {
  readonly id: string;
  readonly kind: ChatKind;
}

export interface ChatSearch extends SearchState, ChatPerson {
  /** Its position in the chat's list, from 1. */
  readonly number: number;
  readonly isReceiver: boolean;
  readonly topicId: string | null;
  readonly mutedUntil: Date | null;
}

interface ChatRow {
  readonly id: string;
  readonly isReceiver: boolean;
  readonly topicId: string | null;
  readonly mutedUntil: Date | null;
}

/** A private chat sees all searches of its people, a group or channel only those with alerts there. */
export async function searchesOf(sql: Sql, chat: AskingChat): Promise<readonly ChatSearch[]> {
  const rows = await sql<ChatRow[]>`
    select searches.id, chats.chat_id::text = any (searches.receiver_ids) as "isReceiver", search_chats.topic_id::text as "topicId",
      search_chats.muted_until as "mutedUntil"
    from watch.confirmed_chats as chats
    join public.searches as searches using (user_id)
    left join watch.search_chats on search_chats.search_id = searches.id and search_chats.chat_id = chats.chat_id
    where chats.chat_id = ${chat.id}`;
  const shown = new Map(
    rows.filter(({ isReceiver }) => isReceiver || chat.kind === "private").map((row) => [row.id, row]),
  );
  const searches: Omit<ChatSearch, "number">[] = [];
  for (const person of await confirmedPeople(sql, chat.id)) {
    for (const state of await watchStatesOf(sql, person.userId)) {
      const row = shown.get(state.searchId);
      if (row !== undefined) searches.push({ ...state, ...person, ...row });
    }
  }
  return searches.map((search, index) => ({ ...search, number: index + 1 }));
}

export type AddedSearch =
  | { readonly outcome: "added" | "same"; readonly searchId: string; readonly name: string | null }
  | { readonly outcome: "too-many-searches" | "not-connected" };

export async function addSavedSearch(
  sql: Sql,
  { userId, chatId, url }: { userId: string; chatId: string; url: string },
): Promise<AddedSearch> {
  const [added] = await sql<[AddedSearch]>`
    select outcome, search_id as "searchId", (select name from public.searches where id = search_id) as name
    from watch.add_search(${userId}, ${chatId}, ${url})`;
  return added;
}

export interface SearchInChat {
  readonly chat: AskingChat;
  readonly searchId: string;
}

/** Returns whether it is paused then, because only ten searches of a person run; undefined if there is no such search. */
export async function setSearchPaused(
  sql: Sql,
  target: SearchInChat,
  isPaused: boolean,
): Promise<boolean | undefined> {
  let isPausedNow = isPaused;
  const isFound = await changeSearch(sql, target, async (db) => {
    const [changed] = await db<{ isPaused: boolean }[]>`
      update public.searches set is_paused = ${isPaused}
      where id = ${target.searchId} and is_paused <> ${isPaused} returning is_paused as "isPaused"`;
    isPausedNow = changed?.isPaused ?? isPaused;
  });
  return isFound ? isPausedNow : undefined;
}

/** Null: it is named after its place again. */
export async function nameSearchInChat(
  sql: Sql,
  target: SearchInChat,
  name: string | null,
): Promise<boolean> {
  return changeSearch(sql, target, async (db) => {
    await db`update public.searches set name = ${name} where id = ${target.searchId}`;
  });
}

export async function deleteSavedSearch(sql: Sql, target: SearchInChat): Promise<boolean> {
  return changeSearch(sql, target, async (db) => {
    await db`delete from public.searches where id = ${target.searchId}`;
  });
}

/** Applies a change to the rules as they are now. */
export async function changeSearchRules(
  sql: Sql,
  target: SearchInChat,
  change: (rules: readonly Rule[]) => readonly Rule[],
): Promise<boolean> {
  return changeSearch(sql, target, async (db) => {
    const [row] = await db<{ rules: unknown }[]>`
      select rules from public.searches where id = ${target.searchId} for no key update`;
    const rules = change(readRules(row?.rules).rules);
    await db`update public.searches set rules = ${jsonOf(db, rules)} where id = ${target.searchId}`;
  });
}

/** Whether its alerts are sent as a summary every two hours. */
export async function setSearchFolded(sql: Sql, target: SearchInChat, isFolded: boolean): Promise<boolean> {
  return changeSearch(sql, target, async (db) => {
    await db`update public.searches set is_folded = ${isFolded} where id = ${target.searchId}`;
  });
}

/** The topic of the group for the search's alerts; null: the group itself. */
export async function setSearchTopic(
  sql: Sql,
  target: SearchInChat,
  topicId: number | null,
): Promise<boolean> {
  return changeSearch(sql, target, async (db) => {
    await db`
      insert into watch.search_chats (search_id, chat_id, topic_id)
      ${receiverRow(db, target, topicId)}
      on conflict (search_id, chat_id) do update set topic_id = excluded.topic_id`;
  });
}

/** Holds the search's alerts in this chat until then. A longer mute stays. */
export async function muteSearch(
  sql: Sql,
  target: SearchInChat,
  until: Date | null,
): Promise<Date | undefined> {
  let mutedUntil: Date | undefined;
  await changeSearch(sql, target, async (db) => {
    const [row] = await db<{ until: Date }[]>`
      insert into watch.search_chats (search_id, chat_id, muted_until)
      ${receiverRow(db, target, until)}
      on conflict (search_id, chat_id) do update set
        muted_until = case when excluded.muted_until is null then null
          else greatest(search_chats.muted_until, excluded.muted_until) end
      returning coalesce(muted_until, 'epoch') as until`;
    mutedUntil = row?.until;
  });
  return mutedUntil;
}

const receiverRow = (db: Db, { chat, searchId }: SearchInChat, value: number | Date | null) => db`
  select id, ${chat.id}::bigint, ${value} from public.searches
  where id = ${searchId} and ${chat.id} = any (receiver_ids)`;

/**
 * Changes nothing and returns false unless the chat has confirmed the account of the search. A group or channel must also
 * receive the search's alerts.
 */
async function changeSearch(
  sql: Sql,
  { chat, searchId }: SearchInChat,
  change: (db: Db) => Promise<void>,
): Promise<boolean> {
  return inTransaction(sql, async (db) => {
    const owner = () => db<{ userId: string }[]>`
      select searches.user_id as "userId" from public.searches as searches
      join watch.confirmed_chats as chats on chats.user_id = searches.user_id
      where searches.id = ${searchId} and chats.chat_id = ${chat.id}
        and (${chat.kind} = 'private' or ${chat.id} = any (searches.receiver_ids))`;
    const [found] = await owner();
    if (found === undefined) return false;
    await db`select private.lock_person_and_chat(${found.userId}, ${chat.id})`;
    if ((await owner()).length === 0) return false;
    await change(db);
    return true;
  });
}

/** A reply to this message names the search. */
export async function noteNameQuestion(
  sql: Sql,
  { chatId, messageId, searchId }: { chatId: string; messageId: number; searchId: string },
): Promise<void> {
  await sql`
    insert into watch.name_questions (chat_id, message_id, search_id) values (${chatId}, ${messageId}, ${searchId})
    on conflict (chat_id) do update set message_id = excluded.message_id, search_id = excluded.search_id`;
}

export async function findNameQuestion(
  sql: Sql,
  chatId: string,
  messageId: number,
): Promise<string | undefined> {
  const [row] = await sql<{ searchId: string }[]>`
    select search_id as "searchId" from watch.name_questions where chat_id = ${chatId} and message_id = ${messageId}`;
  return row?.searchId;
}
