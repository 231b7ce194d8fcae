import type { Sql, TransactionSql } from "postgres";
import { jsonOf } from "#platform/database/json-parameter.ts";

/** The owner of an address; undefined if the person is suspended. */
export async function findMailRecipient(sql: Sql, token: string, now: Date): Promise<string | undefined> {
  const [row] = await sql<{ userId: string }[]>`
    select people.id as "userId"
    from public.mail_addresses join auth.users as people on people.id = mail_addresses.user_id
    where mail_addresses.token = ${token} and (people.banned_until is null or people.banned_until <= ${now})`;
  return row?.userId;
}

/** Whether people still have these addresses, which nobody changes until the transaction ends. */
export async function areStillAddresses(
  db: TransactionSql,
  tokens: readonly string[],
  now: Date,
): Promise<boolean> {
  const rows = await db`
    select from public.mail_addresses join auth.users as people on people.id = mail_addresses.user_id
    where mail_addresses.token in (select jsonb_array_elements_text(${jsonOf(db, tokens)}))
      and (people.banned_until is null or people.banned_until <= ${now})
    for share of mail_addresses`;
  return rows.length === new Set(tokens).size;
}

/** A mail provider asks whether mail may be forwarded: shown with the address, and sent to connected private chats. */
export async function askForwardingQuestion(
  db: TransactionSql,
  userId: string,
  { code, link, now }: { code: string; link: string | null; now: Date },
): Promise<void> {
  const { count } = await db`
    update public.mail_addresses set forwarding_code = ${code}, forwarding_link = ${link}, forwarding_asked_at = ${now}
    where user_id = ${userId}`;
  if (count === 0) return;
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at)
    select ${userId}, chat_id, 'forwarding-question', ${code}, ${jsonOf(db, { code, link })}, ${now}, ${now}
    from public.chats where user_id = ${userId} and state = 'connected' and chat_id > 0
    on conflict on constraint alert_exists_once do nothing`;
}
