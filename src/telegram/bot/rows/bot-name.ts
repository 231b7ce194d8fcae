import type { Sql } from "postgres";

/** Stored for the machines that do not have the bot's token. */
export async function saveBotName(sql: Sql, username: string, hasInlineMode: boolean): Promise<void> {
  await sql`
    insert into watch.bot as known (username, has_inline_mode) values (${username}, ${hasInlineMode})
    on conflict (is_the_bot) do update set username = excluded.username, has_inline_mode = excluded.has_inline_mode
    where known.username <> excluded.username or known.has_inline_mode <> excluded.has_inline_mode`;
}

export async function findBotName(sql: Sql): Promise<string | undefined> {
  const [bot] = await sql<{ username: string }[]>`select username from watch.bot`;
  return bot?.username;
}
