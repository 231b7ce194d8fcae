// Finds everything that prevents a start on this machine, before anything is started.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type DatabaseRole, findDatabaseFaults } from "#backend/postgres/check-database.ts";
import { findLoginFaults, type Login } from "#backend/postgres/check-logins.ts";
import { requireFreeCluster } from "#backend/postgres/embedded-postgres.ts";
import { StartError } from "#backend/postgres/start-error.ts";
import { findSchemaFaults } from "#backend/schema-faults.ts";
import { loadSecrets } from "#backend/secrets.ts";
import { fetchBotIdentity } from "../bot-name.ts";
import type { UsableSettings } from "../config.ts";
import { openDataFolder } from "./data-folder.ts";
import { type ListenPort, requireOpenablePort } from "./refused-port.ts";

const MIGRATIONS = fileURLToPath(new URL("../../../supabase/migrations", import.meta.url));

/** Several faults are printed as a list, one as a sentence. */
export class StartFaults extends StartError {
  /** Whether the settings themselves are wrong, so that another attempt cannot succeed. */
  readonly areOfSettings: boolean;
  constructor(faults: readonly string[], { areOfSettings }: { areOfSettings: boolean }) {
    const [first = ""] = faults;
    super(
      faults.length === 1
        ? first
        : `Sereno cannot start (.env.example explains the settings):\n${faults.map((one) => `  - ${one}`).join("\n")}`,
    );
    this.areOfSettings = areOfSettings;
  }
}

/** One sentence per fault. Settings that are invalid by themselves are left out here and reported by readSettings. */
export async function findStartFaults(settings: UsableSettings): Promise<string[]> {
  const mailHost = settings.MAIL_IN_HOST ?? settings.HOST;
  const faults = await Promise.all(
    [
      () => checkDataFolder(settings),
      () => checkPort(settings.HOST, settings.PORT, "PORT"),
      () =>
        settings.ROLES?.includes("mail") ? checkPort(mailHost, settings.MAIL_IN_PORT, "MAIL_IN_PORT") : [],
      () => findServerFaults(settings),
      () => (settings.ROLES?.includes("bot") ? checkBotName(settings) : []),
    ].map(faultsOf),
  );
  return [...new Set(faults.flat())];
}

async function faultsOf(attempt: () => Promise<string[]> | string[]): Promise<string[]> {
  try {
    return await attempt();
  } catch (error) {
    return [faultSentence(error)];
  }
}

/** The sentence of a known fault; for other errors their message without the stack. */
export function faultSentence(error: unknown, whatFailed = "Sereno could not start"): string {
  if (error instanceof StartError) return error.message;
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const words = cause instanceof Error ? cause.message || String(Reflect.get(cause, "code")) : String(cause);
  return `${whatFailed}: ${words}`;
}

async function checkDataFolder({ DATA_DIR, DATABASE_URL }: UsableSettings): Promise<string[]> {
  if (DATA_DIR === undefined || DATABASE_URL !== undefined) return [];
  const folder = resolve(DATA_DIR);
  await openDataFolder(folder);
  const { databasePassword } = await loadSecrets(folder);
  await requireFreeCluster(join(folder, "postgres"), databasePassword);
  return [];
}

async function checkPort(
  host: string | undefined,
  port: number | undefined,
  setting: ListenPort["setting"],
): Promise<string[]> {
  if (host !== undefined && port !== undefined) await requireOpenablePort({ host, port, setting });
  return [];
}

/** Faults of an external PostgreSQL server and of its contents. */
export function findOwnDatabaseFaults(
  databaseUrl: string,
  isHosted = false,
  roles: readonly DatabaseRole[] = ["web", "watcher", "bot", "mail"],
): Promise<string[]> {
  return findDatabaseFaults(databaseUrl, {
    roles,
    findSchemaFaults: (sql) => findSchemaFaults(sql, MIGRATIONS),
    isHosted,
  });
}

/** Faults of an external database and of its logins, which hosted Supabase does not need. */
export async function findServerFaults(settings: UsableSettings): Promise<string[]> {
  const { DATABASE_URL: owner, PEOPLE_DATABASE_URL: people, AUTH_DATABASE_URL: auth } = settings;
  if (owner === undefined) return [];
  const faults = await findOwnDatabaseFaults(owner, isHosted(settings), settings.ROLES);
  if (faults.length > 0 || isHosted(settings)) return faults;
  const logins: Login[] = [
    { setting: "PEOPLE_DATABASE_URL", url: people ?? "", memberOf: ["anon", "authenticated"] },
    { setting: "AUTH_DATABASE_URL", url: auth ?? "", memberOf: [] },
  ];
  const set = logins.filter(({ url }) => url !== "");
  return (await Promise.all(set.map((login) => findLoginFaults(login, owner)))).flat();
}

const isHosted = ({ SUPABASE_URL }: UsableSettings) => SUPABASE_URL !== undefined;

/** A refused token and an unreachable Telegram are not faults: the site works without the bot, which retries. */
async function checkBotName(settings: UsableSettings): Promise<string[]> {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot, TELEGRAM_BOT_USERNAME: name } = settings;
  if (token === undefined || apiRoot === undefined) return [];
  const identity = await fetchBotIdentity({ token, apiRoot });
  if (identity.kind !== "known" || name === undefined) return [];
  if (identity.username.toLowerCase() === name.toLowerCase()) return [];
  return [
    `TELEGRAM_BOT_USERNAME is ${name}, but the token is that of ${identity.username}; mend it, or leave it out.`,
  ];
}
