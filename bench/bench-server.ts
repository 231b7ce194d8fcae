import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrlOf, postmasterOf, startServerProcess } from "#test/server-process.ts";

export type BenchServer = {
  /** Calls the auth service from the given client address. */
  auth: (path: string, address: string, body: object) => Promise<Response>;
  url: string;
  port: number;
  databaseUrl: string;
  pid: number;
  postmasterPid: number;
  stop: () => Promise<void>;
};

/** The product as in production, in a separate process on a fresh embedded database. */
export async function startBenchServer(settings: Record<string, string> = {}): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "sereno-bench-"));
  const server = await startServerProcess({
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "warn",
    ...settings,
  });
  const url = `http://127.0.0.1:${server.port}`;
  const { publishableKey } = (await (await fetch(`${url}/config.json`)).json()) as { publishableKey: string };
  return {
    url,
    port: server.port,
    databaseUrl: await databaseUrlOf(dataDir),
    pid: server.child.pid ?? 0,
    postmasterPid: (await postmasterOf(dataDir)).pid,
    auth: (path, address, body) =>
      fetch(`${url}/auth/v1/${path}`, {
        method: "POST",
        headers: { apikey: publishableKey, "content-type": "application/json", "x-forwarded-for": address },
        body: JSON.stringify(body),
      }),
    stop: async () => {
      server.child.kill("SIGTERM");
      await server.exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
