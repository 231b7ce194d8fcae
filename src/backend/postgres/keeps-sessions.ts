import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";

/**
 * Whether a connection is one session of the server's for as long as it lives. A pooler in transaction mode hands out
 * sessions by the transaction: what one client set there, the next finds, and the first finds it no more. Each of the two
 * is tried, since poolers differ in which of their sessions they hand out next.
 */
export async function keepsSessions(first: Sql, second: Sql): Promise<boolean> {
  const mark = randomUUID();
  // Connected before anything is marked: a session made later could not have been mixed up.
  await sessionOf(second);
  await first`select set_config('sereno.session', ${mark}, false)`;
  const sessions = new Set<number>();
  for (let look = 0; look < 3; look += 1) sessions.add(await sessionOf(first));
  // While the second is in a transaction, the first cannot be given the session that the second has.
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
