/** A PostgreSQL of its own, as durable as in production, with today's schema. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbeddedPostgres } from "#backend/postgres/embedded-postgres.ts";
import { prepareDatabase } from "#backend/prepare-database.ts";
import { createSupabaseLite } from "#backend/supabase-lite.ts";

export interface BenchDatabase {
  /** An empty one, beside those made before. */
  create(): Promise<string>;
  stop(): Promise<void>;
}

export async function startBenchDatabase(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "sereno-watch-"));
  const server = await startEmbeddedPostgres({
    folder: join(folder, "postgres"),
    password: "bench",
    settings: { max_connections: "200" },
  });
  const urlOf = (name: string) => {
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  await admin`create database watch_template`;
  const lite = createSupabaseLite({
    databaseUrl: urlOf("watch_template"),
    jwtSecret: "only-used-to-create-the-schema-0123456789",
    publishableKey: "sb_publishable_unused",
    siteUrl: "http://localhost",
    redirectUrls: [],
    sendRawMail: async () => {},
  });
  await prepareDatabase({
    databaseUrl: urlOf("watch_template"),
    migrationsFolder: "supabase/migrations",
    lite,
  });
  await lite.close();
  let made = 0;
  return {
    create: async () => {
      made += 1;
      await admin.unsafe(`create database watch_${made} template watch_template`);
      return urlOf(`watch_${made}`);
    },
    stop: async () => {
      await admin.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
