import type { Sql } from "postgres";
import type { Language } from "#core/languages.ts";

/** A chat to be notified that it receives no more alerts of an account. */
export interface DeletionNotice {
  readonly chatId: string;
  readonly language: Language | null;
  readonly kind: "account-deleted" | "telegram-disconnected" | "access-ended";
}

/** The next one that is due. Nobody else takes it before `untilMs`. */
export async function takeDeletionNotice(
  sql: Sql,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<DeletionNotice | undefined> {
  const [row] = await sql<DeletionNotice[]>`
    update watch.deletion_notices set not_before = ${new Date(untilMs)}
    where chat_id = (
      select chat_id from watch.deletion_notices where not_before <= ${new Date(nowMs)}
      order by not_before, chat_id limit 1 for update skip locked
    )
    returning chat_id::text as "chatId", language, kind`;
  return row;
}

export async function dropDeletionNotice(sql: Sql, chatId: string): Promise<void> {
  await sql`delete from watch.deletion_notices where chat_id = ${chatId}`;
}

export async function postponeDeletionNotice(sql: Sql, chatId: string, untilMs: number): Promise<void> {
  await sql`update watch.deletion_notices set not_before = ${new Date(untilMs)} where chat_id = ${chatId}`;
}

/** The group became a supergroup before it was notified. */
export async function moveDeletionNotice(sql: Sql, chatId: string, toChatId: string): Promise<void> {
  await sql`
    insert into watch.deletion_notices (chat_id, language, kind)
    select ${toChatId}, language, kind from watch.deletion_notices where chat_id = ${chatId}
    on conflict (chat_id) do nothing`;
  await dropDeletionNotice(sql, chatId);
}
