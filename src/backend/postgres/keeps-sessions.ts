import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";

/**
 * Whether a connection keeps one server session. A pooler in transaction mode assigns sessions per transaction: a
 * client can find another's session settings, or lose its own. Both are checked, because poolers differ in which
 * session they assign next.
 */
export async function keepsSessions(first: Sql, second: Sql): Promise<boolean> {
  const mark = randomUUID();
  // Connect first: a session that starts later could not be mixed up.
  await sessionOf(second);
  await first`select set_config('sereno.session', ${mark}, false)`;
  const sessions = new Set<number>();
  for (let look = 0; look < 3; look += 1) sessions.add(await sessionOf(first));
  // While the second is in a transaction, its session cannot be assigned to the first.
  const [isMixedUp, isStillOurs] = await second.begin(async (transaction) => {
    const found = await markOf(transaction);
    sessions.add(await sessionOf(first));
    return [found === mark, (await markOf(first)) === mark];
  });
  return sessions.size === 1 && !isMixedUp && isStillOurs;
}

type Asked = Pick<Sql, "unsafe">;

async function sessionOf(sql: Asked): Promise<number> {
  const [row] = await sql.unsafe<{ pid: number }[]>("select pg_backend_pid() as pid");
  return row?.pid ?? 0;
}

async function markOf(sql: Asked): Promise<string | null | undefined> {
  const [row] = await sql.unsafe<{ mark: string | null }[]>(
    "select current_setting('sereno.session', true) as mark",
  );
  return row?.mark;
}
