import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { run, TEMPLATE } from "./migrated-postgres.ts";

export type TestDatabase = { url: string; sql: postgres.Sql; drop: () => Promise<void> };

/** A fresh database with today's schema. The caller drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject("serverUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await run(server, `create database ${name} template ${TEMPLATE}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { onnotice: () => {} });
  return {
    url: url.href,
    sql,
    drop: async () => {
      await sql.end();
      await run(server, `drop database if exists ${name} with (force)`);
    },
  };
}
