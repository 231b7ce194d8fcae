import type { Sql } from "postgres";

/** Stored for the machines that do not have the bot's token. */
export async function saveBotName(sql: Sql, username: string): Promise<void> {
  await sql`
    insert into watch.bot as known (username) values (${username})
    on conflict (is_the_bot) do update set username = excluded.username
    where known.username <> excluded.username`;
}

export async function findBotName(sql: Sql): Promise<string | undefined> {
  const [bot] = await sql<{ username: string }[]>`select username from watch.bot`;
  return bot?.username;
}
