// Runs once before the database tests: starts one PostgreSQL for all, with a migrated database to clone.
import type { TestProject } from "vitest/node";
import { startMigratedPostgres } from "./migrated-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    serverUrl: string;
  }
}

export async function setup(project: TestProject) {
  // Tests that need durability start their own server.
  const server = await startMigratedPostgres({
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    // The tests open thousands of connections; hashing a password is not what they are about.
    scram_iterations: "1",
  });
  project.provide("serverUrl", server.serverUrl);
  return server.stop;
}
