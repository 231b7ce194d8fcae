// Runs once before the database tests: one PostgreSQL for all of them, and in it a migrated database to clone.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#backend/postgres/embedded-postgres.ts";
import { prepareDatabase } from "#backend/prepare-database.ts";
import { createSupabaseLite } from "#backend/supabase-lite.ts";

declare module "vitest" {
  interface ProvidedContext {
    serverUrl: string;
  }
}

export async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), "sereno-test-"));
  const server = await startEmbeddedPostgres({
    folder: join(folder, "postgres"),
    password: "test",
    // Durability costs time and no test asks for it here; the ones that do start a server of their own.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" },
  });
  const template = new URL(server.url);
  template.pathname = "/sereno_template";
  const sql = postgres(server.url, { max: 1 });
  await sql`create database sereno_template`;
  await sql.end();
  const lite = createSupabaseLite({
    databaseUrl: template.href,
    jwtSecret: "only-used-to-create-the-schema-0123456789",
    publishableKey: "sb_publishable_unused",
    siteUrl: "http://localhost",
    redirectUrls: [],
    sendRawMail: async () => {},
  });
  await prepareDatabase({ databaseUrl: template.href, migrationsFolder: "supabase/migrations", lite });
  await lite.close();
  project.provide("serverUrl", server.url);

  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
