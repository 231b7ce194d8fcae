// Accounts that were made by a Telegram sign-in: without an address and without a password.
import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Sql } from "postgres";

export type TelegramAccount = { userId: string; chatId: number };

/** With `isConnected`, the private chat is known to the bot and connected, as after a consent to messages. */
export async function createTelegramAccount(
  sql: Sql,
  {
    name = "Ana García",
    isConnected = true,
    language = "en",
    chatId = randomInt(100_000_000, 2_000_000_000),
  } = {},
): Promise<TelegramAccount> {
  const metadata = JSON.stringify({ full_name: name, language });
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from private.enter_by_telegram(${chatId}, ${metadata}::text::jsonb)`;
  const userId = row?.userId ?? "";
  if (isConnected) await sql`select private.connect_own_chat(${userId}, ${chatId}, ${name})`;
  return { userId, chatId };
}

/** Opens a session as a sign-in with Telegram does. Returns its refresh token. */
export async function openTelegramSession(sql: Sql, userId: string, at = new Date()): Promise<string> {
  const [id, token] = [randomUUID(), randomBytes(32).toString("base64url")];
  const hash = createHash("sha256").update(token).digest("hex");
  await sql`insert into auth.sessions (id, user_id, created_at) values (${id}, ${userId}, ${at})`;
  await sql`insert into auth.refresh_tokens (token, user_id, session_id, created_at) values (${hash}, ${userId}, ${id}, ${at})`;
  await sql`
    insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
    values (${id}, 'oauth', ${at}, ${at})`;
  return token;
}
