/** The bot's question that the next message of a private chat answers. */
import type { Sql } from "postgres";
import { jsonOf } from "#platform/database/json-parameter.ts";

export type OpenQuestion =
  /** For a search: its `step` is the callback data of the question, which holds the answers so far. */
  | { readonly is: "place" | "price"; readonly step: string }
  /** /delete asks for a word, then for a press, about this account. */
  | { readonly is: "delete-word" | "delete-press"; readonly userId: string };

const KEPT_MS = { place: 3_600_000, price: 3_600_000, "delete-word": 600_000, "delete-press": 600_000 };

/** Replaces the chat's earlier question. */
export async function keepQuestion(
  sql: Sql,
  { chatId, question }: { chatId: string; question: OpenQuestion },
  nowMs: number,
): Promise<void> {
  await sql`
    insert into watch.open_questions (chat_id, question, asked_at)
    values (${chatId}, ${jsonOf(sql, question)}, ${new Date(nowMs)})
    on conflict (chat_id) do update set question = excluded.question, asked_at = excluded.asked_at`;
}

/** Undefined if there is none, or if it is too old. */
export async function findQuestion(
  sql: Sql,
  chatId: string,
  nowMs: number,
): Promise<OpenQuestion | undefined> {
  const [row] = await sql<{ question: OpenQuestion; askedAt: Date }[]>`
    select question, asked_at as "askedAt" from watch.open_questions where chat_id = ${chatId}`;
  if (row === undefined) return undefined;
  return nowMs - row.askedAt.getTime() < KEPT_MS[row.question.is] ? row.question : undefined;
}

export async function forgetQuestion(sql: Sql, chatId: string): Promise<void> {
  await sql`delete from watch.open_questions where chat_id = ${chatId}`;
}
