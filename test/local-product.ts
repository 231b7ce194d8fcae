// `npm start` of a checkout for programs that drive its pages, and a person who is signed in to it.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { isReady } from "./server-process.ts";

const START_MS = 180_000;

interface LocalProduct {
  readonly origin: string;
  readonly dataDir: string;
}

interface ProductPlace {
  port: number;
  folder?: string;
  environment?: Record<string, string>;
}

export async function withProduct(
  { port, folder = ".", environment = {} }: ProductPlace,
  use: (product: LocalProduct) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "sereno-bench-"));
  const origin = `http://localhost:${port}`;
  const product = spawn(process.execPath, ["scripts/start.ts"], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      CONSOLE_PORT: String(port + 1),
      SITE_URL: origin,
      DATA_DIR: dataDir,
      // The product shares this machine's CPU with the browser, so checks are rare.
      CHECK_INTERVAL_SECONDS: "600",
      ...environment,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stopped = new Promise((resolve) => product.once("exit", resolve));
  try {
    const giveUpAt = performance.now() + START_MS;
    while (!(await isReady(origin))) {
      if (performance.now() > giveUpAt) throw new Error("The product did not start");
      await wait(200);
    }
    await use({ origin, dataDir });
  } finally {
    product.kill("SIGTERM");
    await stopped;
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Signs a new person up. `stored` is the local storage entry of their session: key and value. */
export async function signUp(origin: string): Promise<{ stored: [string, string]; userId: string }> {
  const { publishableKey } = (await (await fetch(`${origin}/config.json`)).json()) as {
    publishableKey: string;
  };
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const { auth } = createClient(origin, publishableKey, { auth: { storage, autoRefreshToken: false } });
  const { data, error } = await auth.signUp({
    email: `${randomUUID()}@example.com`,
    password: `pw-${randomUUID()}`,
  });
  const stored = [...kept].find(([key]) => key.endsWith("-auth-token"));
  if (error || !stored || !data.user) throw error ?? new Error("The sign-up returned no session");
  return { stored, userId: data.user.id };
}

/** Connects to the product's database with all rights. */
export async function openProductDatabase(dataDir: string): Promise<postgres.Sql> {
  const { databasePassword } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  const port = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[3];
  const password = encodeURIComponent(databasePassword);
  return postgres(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`, {
    max: 1,
    onnotice: () => {},
  });
}
