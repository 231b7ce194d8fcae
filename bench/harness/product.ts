import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrlOf, postmasterOf, startServerProcess } from "#test/server-process.ts";
import { ask } from "./ask.ts";

export type BenchServer = {
  child: ChildProcess;
  pid: number;
  url: string;
  port: number;
  publishableKey: string;
  databaseUrl: string;
  /** 0 if the database is not the embedded one. */
  postmasterPid: number;
  stop: () => Promise<void>;
};

/** Settings that turn off the limits per address and person. */
export const NO_LIMITS = {
  TRUSTED_PROXIES: "1",
  SIGN_UPS_PER_ADDRESS_PER_DAY: "0",
  API_REQUESTS_PER_MINUTE_PER_ADDRESS: "100000000",
  API_REQUESTS_PER_MINUTE_PER_PERSON: "100000000",
};

/**
 * The product as in production, in a separate process: on a fresh embedded database unless the settings name one, and of another
 * checkout if a folder is given.
 */
export async function startBenchServer(
  settings: Record<string, string> = {},
  process: { folder?: string; execArgv?: string[] } = {},
): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "sereno-bench-"));
  const { child, port, exited } = await startServerProcess(
    { DATA_DIR: dataDir, TRUSTED_PROXIES: "1", LOG_LEVEL: "warn", ...settings },
    undefined,
    process,
  );
  const { text } = await ask(port, "/config.json", {});
  return {
    ...{ child, port, pid: child.pid ?? 0, url: `http://127.0.0.1:${port}` },
    publishableKey: (JSON.parse(text) as { publishableKey: string }).publishableKey,
    databaseUrl: settings.DATABASE_URL ?? (await databaseUrlOf(dataDir)),
    postmasterPid: settings.DATABASE_URL ? 0 : (await postmasterOf(dataDir)).pid,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Signs a new person up from an address. */
export async function signUp({ port, publishableKey }: BenchServer, number: number, address: string) {
  const body = JSON.stringify({
    email: `person-${number}@example.com`,
    password: "a-long-password-of-theirs",
    data: { full_name: `Person ${number}` },
  });
  const headers = { apikey: publishableKey, "x-forwarded-for": address };
  const { text } = await ask(port, "/auth/v1/signup", headers, { method: "POST", body });
  const { access_token: token, user } = JSON.parse(text) as { access_token: string; user: { id: string } };
  return { token, userId: user.id };
}
