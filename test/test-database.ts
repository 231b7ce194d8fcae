import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { run, TEMPLATE } from "./postgres/migrated-postgres.ts";

export type TestDatabase = {
  url: string;
  sql: postgres.Sql;
  /** An outage: refuses new connections and ends existing ones, until it is opened again. */
  shut: () => Promise<void>;
  reopen: () => Promise<void>;
  drop: () => Promise<void>;
};

/** A new database with the current schema. The caller drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject("serverUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await run(server, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { onnotice: () => {} });
  return {
    url: url.href,
    sql,
    shut: async () => {
      await run(server, `alter database ${name} allow_connections false`);
      await run(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    },
    reopen: () => run(server, `alter database ${name} allow_connections true`),
    drop: async () => {
      // Without a timeout the driver waits for connections that the server has closed.
      await sql.end({ timeout: 1 });
      await run(server, `drop database if exists ${name} with (force)`);
    },
  };
}
