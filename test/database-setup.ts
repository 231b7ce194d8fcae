// Runs once before the database tests: one PostgreSQL for all of them, and in it a migrated database to clone.
import type { TestProject } from "vitest/node";
import { startMigratedPostgres } from "./migrated-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    serverUrl: string;
  }
}

export async function setup(project: TestProject) {
  // Durability costs time and no test asks for it here; the ones that do start a server of their own.
  const server = await startMigratedPostgres({
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
  });
  project.provide("serverUrl", server.serverUrl);
  return server.stop;
}
