// Runs once before the database tests: starts one PostgreSQL for all, with a migrated database to clone.
import type { TestProject } from "vitest/node";
import { binariesIn } from "./postgres/installed-postgres.ts";
import { startMigratedPostgres } from "./postgres/migrated-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    serverUrl: string;
  }
}

export async function setup(project: TestProject) {
  // For a run by hand, for example /usr/lib/postgresql/15/bin.
  const programs = process.env.TEST_POSTGRES_PROGRAMS;
  const binaries = programs === undefined ? undefined : await binariesIn(programs);
  const hasIterations = binaries === undefined || Number(binaries.major) >= 16;
  // Tests that need durability start their own server.
  const settings = {
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    // A database lives for seconds: too short for autovacuum, and each checkpoint and drop scans all buffers.
    autovacuum: "off",
    shared_buffers: "64MB",
    // The tests open thousands of connections; hashing a password is not what they are about.
    ...(hasIterations && { scram_iterations: "1" }),
  };
  const server = await startMigratedPostgres(settings, () => {}, binaries);
  project.provide("serverUrl", server.serverUrl);
  return server.stop;
}
