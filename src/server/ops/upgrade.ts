import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { POSTGRES_MAJOR } from "#backend/postgres/binaries.ts";
import { requireFreeCluster, startEmbeddedPostgres, versionOf } from "#backend/postgres/embedded-postgres.ts";
import { StartError } from "#backend/postgres/start-error.ts";
import { loadSecrets } from "#backend/secrets.ts";
import { backUp } from "./backup.ts";
import { requireWhole } from "./backup-file.ts";
import { clusterOf, type OpsSettings, withOwnServer } from "./open-database.ts";
import { type Restored, restore } from "./restore.ts";

type UpgradeOptions = OpsSettings & {
  programs: string;
  migrationsFolder: string;
  now: Date;
};

/** Moves the embedded database to the current PostgreSQL. The old folder and the backup are kept. */
export async function upgrade(options: UpgradeOptions): Promise<{ from: string; to: string; kept: string }> {
  const folder = clusterOf(options);
  const from = await versionOf(folder);
  if (from === undefined) throw new StartError(`There is no database in ${folder}.`);
  const binaries = await requirePrograms(options.programs, from);
  const { databasePassword: password } = await loadSecrets(options.dataDir);
  const path = join(options.dataDir, `before-upgrade-from-${from}.backup`);
  const old = await startEmbeddedPostgres({ folder, password, binaries });
  await backUp(old.url, path, options.now).finally(() => old.stop());
  const { kept } = await replaceCluster(options, path);
  return { from, to: String(POSTGRES_MAJOR), kept };
}

/** Replaces the old cluster, which is kept beside it, with a new one restored from the backup. */
async function replaceCluster(
  options: OpsSettings & { migrationsFolder: string; now: Date },
  path: string,
): Promise<Restored & { kept: string }> {
  // Check the file before creating a new cluster.
  await requireWhole(path);
  const folder = clusterOf(options);
  const kept = `${folder}-${options.now.toISOString().replace(/\D/g, "").slice(0, 14)}`;
  const hadOne = (await versionOf(folder)) !== undefined;
  if (hadOne) await rename(folder, kept);
  try {
    const restored = await withOwnServer(options, (databaseUrl) =>
      restore({ ...options, databaseUrl, path }),
    );
    return { ...restored, kept: hadOne ? kept : "" };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (hadOne) await rename(kept, folder);
    throw error;
  }
}

async function requirePrograms(programs: string, major: string) {
  const binaries = { postgres: join(programs, "postgres"), initdb: join(programs, "initdb"), major };
  await stat(binaries.postgres).catch((cause: unknown) => {
    throw new StartError(`There is no program named postgres in ${programs}.`, { cause });
  });
  return binaries;
}

/** Restores into the embedded database, which must not be in use. */
export async function restoreEmbedded(
  options: OpsSettings & { migrationsFolder: string; now: Date },
  path: string,
): Promise<Restored & { kept: string }> {
  const folder = clusterOf(options);
  const version = await versionOf(folder);
  if (version !== undefined) {
    const { databasePassword } = await loadSecrets(options.dataDir);
    await requireFreeCluster(folder, databasePassword, version);
  }
  return replaceCluster(options, path);
}
