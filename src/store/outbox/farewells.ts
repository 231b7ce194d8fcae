import type { Sql } from "postgres";
import type { Language } from "#core/languages.ts";

/** A chat to be told that an account whose alerts it got is no more. */
export interface Farewell {
  readonly chatId: string;
  readonly language: Language | null;
}

/** The next one that is due, which nobody else takes before `untilMs`. What waited a day in vain is forgotten. */
export async function takeFarewell(
  sql: Sql,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<Farewell | undefined> {
  const now = new Date(nowMs);
  await sql`delete from watch.farewells where created_at < ${now}::timestamptz - interval '1 day'`;
  const [row] = await sql<Farewell[]>`
    update watch.farewells set not_before = ${new Date(untilMs)}
    where chat_id = (
      select chat_id from watch.farewells where not_before <= ${now}
      order by not_before, chat_id limit 1 for update skip locked
    )
    returning chat_id::text as "chatId", language`;
  return row;
}

export async function dropFarewell(sql: Sql, chatId: string): Promise<void> {
  await sql`delete from watch.farewells where chat_id = ${chatId}`;
}

export async function postponeFarewell(sql: Sql, chatId: string, untilMs: number): Promise<void> {
  await sql`update watch.farewells set not_before = ${new Date(untilMs)} where chat_id = ${chatId}`;
}

/** The group became a supergroup before it was told. */
export async function moveFarewell(sql: Sql, chatId: string, toChatId: string): Promise<void> {
  await sql`
    insert into watch.farewells (chat_id, language)
    select ${toChatId}, language from watch.farewells where chat_id = ${chatId}
    on conflict (chat_id) do nothing`;
  await dropFarewell(sql, chatId);
}
