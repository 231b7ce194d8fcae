// The database: an external server, or the embedded one, which starts and stops with this process.
import { join } from "node:path";
import { type DatabaseUrls, embeddedUrls } from "#backend/login-roles.ts";
import { startEmbeddedPostgres } from "#backend/postgres/embedded-postgres.ts";
import { loadSecrets, type Secrets } from "#backend/secrets.ts";
import type { Config } from "./config.ts";
import { openDataFolder } from "./start/data-folder.ts";

export type ProductDatabase = {
  urls: DatabaseUrls;
  /** Resolves if the database ends unexpectedly. */
  lost: Promise<void>;
  stop: (withinMs: number) => Promise<void>;
};

/** The secrets in this machine's data folder. They belong to the embedded database; an external one needs none. */
export async function openSecrets({ dataDir, databaseUrl }: Config): Promise<Partial<Secrets>> {
  if (databaseUrl !== undefined) return {};
  await openDataFolder(dataDir);
  return loadSecrets(dataDir);
}

export async function startDatabase(
  { dataDir, databaseUrl, logins }: Config,
  { databasePassword = "" }: Partial<Secrets>,
  onLog: (line: string) => void,
): Promise<ProductDatabase> {
  if (databaseUrl) {
    // Empty without the web role and on hosted Supabase, where these logins are not used.
    const urls = { owner: databaseUrl, people: logins?.people ?? "", auth: logins?.auth ?? "" };
    return { urls, lost: new Promise<void>(() => {}), stop: async () => {} };
  }
  const server = await startEmbeddedPostgres({
    folder: join(dataDir, "postgres"),
    password: databasePassword,
    onLog,
  });
  const state = { isStopping: false };
  const lost = new Promise<void>((resolve) => {
    void server.exited.then(() => {
      if (!state.isStopping) resolve();
    });
  });
  const stop = async (withinMs: number) => {
    state.isStopping = true;
    await server.stop(withinMs);
  };
  return { urls: embeddedUrls(server.url), lost, stop };
}
