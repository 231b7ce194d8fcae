import type { Db } from "./json-parameter.ts";

/** Before the first process that has jobs there is no table of them. */
export async function isJobTableThere(db: Db): Promise<boolean> {
  const [row] = await db<[{ isThere: boolean }]>`select to_regclass('pgboss.job') is not null as "isThere"`;
  return row.isThere;
}
