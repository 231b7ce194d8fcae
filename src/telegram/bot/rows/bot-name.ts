import type { Sql } from "postgres";

/** Stored for the machines that do not have the bot's token. */
export async function saveBot(
  sql: Sql,
  { username, hasInlineMode, hasMainApp }: { username: string; hasInlineMode: boolean; hasMainApp: boolean },
): Promise<void> {
  await sql`
    insert into watch.bot as known (username, has_inline_mode, has_main_app)
    values (${username}, ${hasInlineMode}, ${hasMainApp})
    on conflict (is_the_bot) do update set username = excluded.username, has_inline_mode = excluded.has_inline_mode,
      has_main_app = excluded.has_main_app
    where (known.username, known.has_inline_mode, known.has_main_app)
      <> (excluded.username, excluded.has_inline_mode, excluded.has_main_app)`;
}

export async function findBotName(sql: Sql): Promise<string | undefined> {
  const [bot] = await sql<{ username: string }[]>`select username from watch.bot`;
  return bot?.username;
}
