// `/readyz`: whether this process can do the work of its roles, judged by the last attempts. A probe costs one database
// query and no external request.
import { statfs } from "node:fs/promises";
import type { Sql } from "postgres";
import type { Backend } from "#backend/backend.ts";
import { withTimeout } from "#platform/timing.ts";
import { type Config, ROLES } from "./config.ts";
import { type OutsideState, readOutsideState } from "./rows/outside-state.ts";
import type { Workers } from "./workers.ts";

const ANSWER_WITHIN_MS = 1_000;
/** PostgreSQL stops all writes when its disk is full; this leaves time to notice. */
const LEAST_FREE_BYTES = 100 * 1024 * 1024;

type Part = "database" | "disk" | "bot" | "source" | "checks" | "outbox";
type Role = Config["roles"][number];

export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/**
 * Lists the parts that fail for the roles of this process, or for others: then whether any process does their work. Concurrent calls
 * share one check.
 */
export function createReadiness(options: {
  config: Pick<Config, "roles" | "databaseUrl" | "dataDir">;
  sql: Sql;
  backend: Backend | undefined;
  workers: Workers;
}): (roles?: readonly Role[]) => Promise<Part[]> {
  const asked = new Map<string, Promise<Part[]>>();
  return (roles = options.config.roles) => {
    const key = roles.join();
    const running = asked.get(key) ?? findFailing(options, roles).finally(() => asked.delete(key));
    asked.set(key, running);
    return running;
  };
}

async function findFailing(
  { config, sql, backend, workers }: Parameters<typeof createReadiness>[0],
  roles: readonly Role[],
): Promise<Part[]> {
  const [state, isServed, isDiskFull] = await Promise.all([
    withTimeout(ANSWER_WITHIN_MS, readOutsideState(sql)).catch(() => undefined),
    backend?.isReady() ?? true,
    isFull(config),
  ]);
  const has = (role: Role) => roles.includes(role);
  const failing: Record<Part, boolean> = {
    database: !(isServed && state?.isWritable),
    disk: isDiskFull,
    bot: has("bot") && (workers.isTokenRefused() || isTrue(state, "isTokenRefused")),
    source: has("watcher") && isTrue(state, "isSourceDown"),
    checks: has("watcher") && isTrue(state, "areChecksLate"),
    outbox: has("bot") && isTrue(state, "isOutboxStuck"),
  };
  return (Object.keys(failing) as Part[]).filter((part) => failing[part]);
}

const isTrue = (state: OutsideState | undefined, name: keyof OutsideState) => state?.[name] === true;

/** Only the embedded database writes to our disk. */
async function isFull({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): Promise<boolean> {
  if (databaseUrl !== undefined) return false;
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize < LEAST_FREE_BYTES;
}
