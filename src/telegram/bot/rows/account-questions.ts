/** Requests of a chat for which several of its accounts could be meant, until the chat says which. */
import type { Sql } from "postgres";
import type { HomeMark, OwnPlace } from "#core/finds/find.ts";
import { jsonOf } from "#platform/database/json-parameter.ts";

export type ChatRequest =
  | ({ readonly is: "place" } & Omit<OwnPlace, "id">)
  | { readonly is: "note"; readonly listingId: string; readonly note: string }
  | { readonly is: "mark"; readonly listingId: string; readonly mark: HomeMark | null }
  | { readonly is: "pause"; readonly isPaused: boolean };

const KEPT_OF_A_CHAT = 3;
const KEPT_MS = 3_600_000;

/** Stores the request and returns its id. A chat keeps its three newest. */
export async function keepRequest(
  sql: Sql,
  { chatId, request }: { chatId: string; request: ChatRequest },
  nowMs: number,
): Promise<string> {
  const [kept] = await sql<[{ id: string }]>`
    insert into watch.account_questions (chat_id, request, asked_at)
    values (${chatId}, ${jsonOf(sql, request)}, ${new Date(nowMs)}) returning id`;
  await sql`
    delete from watch.account_questions where id in (
      select id from watch.account_questions where chat_id = ${chatId}
      order by asked_at desc, (id = ${kept.id}) desc offset ${KEPT_OF_A_CHAT}
    )`;
  return kept.id;
}

/** Undefined if it was answered, dropped or is too old. */
export async function findRequest(
  sql: Sql,
  { chatId, requestId }: { chatId: string; requestId: string },
  nowMs: number,
): Promise<ChatRequest | undefined> {
  const [row] = await sql<{ request: ChatRequest }[]>`
    select request from watch.account_questions
    where id = ${requestId} and chat_id = ${chatId} and asked_at > ${new Date(nowMs - KEPT_MS)}`;
  return row?.request;
}

export async function forgetRequest(sql: Sql, requestId: string): Promise<void> {
  await sql`delete from watch.account_questions where id = ${requestId}`;
}
