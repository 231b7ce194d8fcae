import { join } from "node:path";
import type { Sql } from "postgres";
import { startEmbeddedPostgres } from "#backend/postgres/embedded-postgres.ts";
import { explainConnection } from "#backend/postgres/explain-connection.ts";
import { findPostmaster } from "#backend/postgres/postmaster.ts";
import { StartError } from "#backend/postgres/start-error.ts";
import { findSecrets, loadSecrets } from "#backend/secrets.ts";
import { openDataFolder } from "../data-folder.ts";

export type OpsSettings = { databaseUrl: string | undefined; dataDir: string };

export const clusterOf = ({ dataDir }: OpsSettings) => join(dataDir, "postgres");

/** The database as it runs, or the embedded one, started for as long as it is needed. */
export async function withDatabase<Result>(
  settings: OpsSettings,
  act: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  if (settings.databaseUrl) return act(settings.databaseUrl);
  const secrets = await findSecrets(settings.dataDir);
  if (!secrets) {
    throw new StartError(`There is no database in ${settings.dataDir}: set DATA_DIR or DATABASE_URL.`);
  }
  const running = await findPostmaster(clusterOf(settings));
  if (running) {
    const password = encodeURIComponent(secrets.databasePassword);
    return act(`postgres://postgres:${password}@127.0.0.1:${running.port}/postgres`);
  }
  return withOwnServer(settings, act);
}

/** The embedded database, started and stopped here; made where there is none. */
export async function withOwnServer<Result>(
  settings: OpsSettings,
  act: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  await openDataFolder(settings.dataDir);
  const { databasePassword } = await loadSecrets(settings.dataDir);
  const server = await startEmbeddedPostgres({ folder: clusterOf(settings), password: databasePassword });
  try {
    return await act(server.url);
  } finally {
    await server.stop();
  }
}

/** A database that cannot be asked, or that holds no Sereno of today, is named before anything is done to it. */
export async function requireSchema(sql: Sql, databaseUrl: string): Promise<void> {
  const [row] = await sql`select to_regclass('watch.pause') is not null as found`.catch((cause: unknown) => {
    throw new StartError(explainConnection(cause, databaseUrl), { cause });
  });
  if (row?.found) return;
  throw new StartError(
    "This database holds no Sereno, or one from before this version: start Sereno on it first. Nothing was changed.",
  );
}
