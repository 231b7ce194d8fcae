import { join } from "node:path";
import postgres from "postgres";
import { localDatabaseUrl, startEmbeddedPostgres, versionOf } from "#backend/postgres/embedded-postgres.ts";
import { explainConnection } from "#backend/postgres/explain-connection.ts";
import { findPostmaster } from "#backend/postgres/postmaster.ts";
import { StartError } from "#backend/postgres/start-error.ts";
import { findSecrets, loadSecrets } from "#backend/secrets.ts";
import { openDataFolder } from "../start/data-folder.ts";

export type OpsSettings = {
  databaseUrl: string | undefined;
  dataDir: string;
  /** The folder from which relative paths are taken; the current one by default. */
  calledFrom?: string | undefined;
};

export const clusterOf = ({ dataDir }: OpsSettings) => join(dataDir, "postgres");

/** Connects to the running database, or starts the embedded one for as long as it is needed. */
export async function withDatabase<Result>(
  settings: OpsSettings,
  act: (databaseUrl: string) => Promise<Result>,
  { isAnySchema = false } = {},
): Promise<Result> {
  const actOnOurs = async (url: string) => {
    await (isAnySchema ? requireAnySchema : requireSchema)(url);
    return act(url);
  };
  if (settings.databaseUrl) return actOnOurs(settings.databaseUrl);
  if (!(await findSecrets(settings.dataDir)) || (await versionOf(clusterOf(settings))) === undefined) {
    throw new StartError(`There is no database in ${settings.dataDir}: set DATA_DIR or DATABASE_URL.`);
  }
  const running = await findRunningUrl(settings.dataDir);
  return running === undefined ? withOwnServer(settings, actOnOurs) : actOnOurs(running);
}

/** The URL of the embedded database; undefined while it is not running. */
export async function findRunningUrl(dataDir: string): Promise<string | undefined> {
  const postmaster = await findPostmaster(join(dataDir, "postgres"));
  return postmaster && localDatabaseUrl(postmaster.port, (await loadSecrets(dataDir)).databasePassword);
}

async function requireSchema(databaseUrl: string): Promise<void> {
  // The last object that a migration creates and a command needs.
  const query = "select to_regclass('watch.pause') as found";
  if ((await askOnce<{ found: string | null }>(databaseUrl, query)).found === null) {
    throw new StartError(
      "This database has no Sereno schema, or an older one: start Sereno on it first. Nothing was changed.",
    );
  }
}

/** A backup is also made before an upgrade, of an older schema. */
async function requireAnySchema(databaseUrl: string): Promise<void> {
  const query = `select to_regclass('supabase_migrations.schema_migrations') is not null
    and to_regclass('public.profiles') is not null as "isOurs"`;
  if ((await askOnce<{ isOurs: boolean }>(databaseUrl, query)).isOurs) return;
  throw new StartError("This database has no Sereno schema: there is nothing to back up.");
}

/** The only row of a query; a failure becomes one sentence. */
export async function askOnce<Row extends object>(
  databaseUrl: string,
  query: string,
  values: string[] = [],
): Promise<Row> {
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await sql.unsafe<[Row]>(query, values);
    return row;
  } catch (cause) {
    throw new StartError(explainConnection(cause, databaseUrl), { cause });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Starts the embedded database, creating it if necessary, and stops it afterwards. */
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
