import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";

export type TestDatabase = { url: string; sql: postgres.Sql; drop: () => Promise<void> };

/** A fresh database with today's schema. The caller drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject("serverUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await once(server, (sql) => sql.unsafe(`create database ${name} template sereno_template`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { onnotice: () => {} });
  return {
    url: url.href,
    sql,
    drop: async () => {
      await sql.end();
      await once(server, (admin) => admin.unsafe(`drop database if exists ${name} with (force)`));
    },
  };
}

async function once(url: string, act: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await act(sql);
  } finally {
    await sql.end();
  }
}
