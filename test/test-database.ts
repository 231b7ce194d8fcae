import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { TEMPLATE } from "./postgres/migrated-postgres.ts";

export type TestDatabase = {
  url: string;
  sql: postgres.Sql;
  /** An outage: refuses new connections and ends existing ones, until it is opened again. Waits until they have ended. */
  shut: () => Promise<void>;
  reopen: () => Promise<void>;
  drop: () => Promise<void>;
};

/** Shared by the files of a worker: a connection for each statement took half of the time to create and drop a database. */
let server: postgres.Sql | undefined;

async function runOnServer(statement: string): Promise<void> {
  server ??= postgres(inject("serverUrl"), {
    max: 4,
    idle_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
  });
  await server.unsafe(statement);
}

/** A new database with the current schema. The caller drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runOnServer(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  const url = new URL(inject("serverUrl"));
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { onnotice: () => {} });
  return {
    url: url.href,
    sql,
    shut: async () => {
      await runOnServer(`alter database ${name} allow_connections false`);
      // All at once, as in an outage; then it waits for each.
      for (const patience of ["", ", 60000"]) {
        await runOnServer(
          `select pg_terminate_backend(pid${patience}) from pg_stat_activity where datname = '${name}'`,
        );
      }
    },
    reopen: () => runOnServer(`alter database ${name} allow_connections true`),
    drop: async () => {
      // Without a timeout the driver waits for connections that the server has closed.
      await sql.end({ timeout: 1 });
      await runOnServer(`drop database if exists ${name} with (force)`);
    },
  };
}
