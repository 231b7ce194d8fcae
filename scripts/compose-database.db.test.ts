// Runs the scripts of deploy/compose on a cluster of their own, as PostgreSQL's image would.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "#backend/postgres/embedded-postgres.ts";
import { findServerFaults } from "#server/start/start-faults.ts";

const hasPsql = spawnSync("psql", ["--version"]).status === 0;

test.runIf(hasPsql)(
  "RUN-06 compose's scripts make secrets once, and a database that Sereno starts on",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "sereno-compose-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const makeSecrets = () =>
      execFileSync("sh", ["deploy/compose/make-secrets.sh", folder, String(process.getgid?.() ?? 0)]);
    const readAll = () =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
    makeSecrets();
    const secrets = readAll();
    makeSecrets();
    expect(readAll()).toEqual(secrets);
    expect(Object.keys(secrets).toSorted()).toEqual([
      ...["admin-password", "auth-database-url", "database-url", "people-database-url"],
    ]);
    expect(new Set(Object.values(secrets).map((text) => /[0-9a-f]{48}/.exec(text)?.[0])).size).toBe(4);
    for (const name of Object.keys(secrets)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o440);

    const parent = mkdtempSync(join(tmpdir(), "sereno-compose-cluster-"));
    const password = secrets["admin-password"] ?? "";
    const server = await startEmbeddedPostgres({ folder: join(parent, "postgres"), password });
    onTestFinished(async () => {
      await server.stop();
      rmSync(parent, { recursive: true });
    });
    const { port } = new URL(server.url);
    execFileSync("sh", ["deploy/compose/prepare-database.sh"], {
      env: {
        ...{ PATH: process.env.PATH, SECRETS: folder, PREPARATION: "supabase/prepare-database.sql" },
        ...{ PGHOST: "127.0.0.1", PGPORT: port, PGPASSWORD: password, POSTGRES_USER: "postgres" },
      },
    });
    const here = (name: string) => secrets[name]?.replace("@database:5432", `@127.0.0.1:${port}`);
    const settings = {
      DATABASE_URL: here("database-url"),
      PEOPLE_DATABASE_URL: here("people-database-url"),
      AUTH_DATABASE_URL: here("auth-database-url"),
    };
    expect(await findServerFaults(settings)).toEqual([]);
    expect(await findServerFaults({ ...settings, AUTH_DATABASE_URL: settings.DATABASE_URL })).not.toEqual([]);
  },
);
