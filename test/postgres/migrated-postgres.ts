import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { embeddedUrls } from "#backend/login-roles.ts";
import type { PostgresBinaries } from "#backend/postgres/binaries.ts";
import { startEmbeddedPostgres } from "#backend/postgres/embedded-postgres.ts";
import { prepareDatabase } from "#backend/prepare-database.ts";

export const TEMPLATE = "sereno_template";

export interface MigratedPostgres {
  readonly serverUrl: string;
  /** Creates a database with the current schema and no rows. */
  create(): Promise<string>;
  /** Creates a database without a schema. */
  createBare(): Promise<string>;
  stop(): Promise<void>;
}

/** A separate PostgreSQL with a migrated database to clone. As durable as in production by default. */
export async function startMigratedPostgres(
  settings: Record<string, string> = {},
  onLog: (line: string) => void = () => {},
  binaries?: Required<PostgresBinaries>,
): Promise<MigratedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "sereno-postgres-"));
  const server = await startEmbeddedPostgres({
    folder: join(folder, "postgres"),
    password: "test",
    settings: { max_connections: "300", ...settings },
    onLog,
    ...(binaries && { binaries }),
  });
  const urlOf = (name: string) => {
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  await run(server.url, `create database ${TEMPLATE}`);
  await prepareDatabase({ databaseUrl: urlOf(TEMPLATE), migrationsFolder: "supabase/migrations" });
  let made = 0;
  const create = async (template: string) => {
    made += 1;
    await run(server.url, `create database sereno_${made} template ${template} strategy file_copy`);
    return urlOf(`sereno_${made}`);
  };
  return {
    serverUrl: server.url,
    create: () => create(TEMPLATE),
    createBare: () => create("template0"),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The product's settings for a database of an embedded server. */
export function databaseSettings(databaseUrl: string): Record<string, string> {
  const { owner, people, auth } = embeddedUrls(databaseUrl);
  return { DATABASE_URL: owner, PEOPLE_DATABASE_URL: people, AUTH_DATABASE_URL: auth };
}

/** Runs one statement on a new connection. */
export async function run(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
