import type { Db } from "./json-parameter.ts";

/** The table is created by the first process that runs jobs. */
export async function isJobTableThere(db: Db): Promise<boolean> {
  const [row] = await db<[{ isThere: boolean }]>`select to_regclass('pgboss.job') is not null as "isThere"`;
  return row.isThere;
}
