// Runs the web role of another checkout of the project, so that two versions can be compared.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseSettings } from "#test/postgres/migrated-postgres.ts";
import { ask } from "../ask.ts";

export type CheckoutServer = {
  child: ChildProcess;
  port: number;
  publishableKey: string;
  stop: () => Promise<void>;
};

/** On an existing database, without limits per address or person. */
export async function startCheckoutServer(folder: string, databaseUrl: string): Promise<CheckoutServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "sereno-bench-"));
  const child = fork("src/server/main.ts", {
    cwd: folder,
    execArgv: process.env.BENCH_EXEC_ARGV?.split(" ") ?? [],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      PORT: "0",
      ROLES: "web",
      SITE_URL: "http://localhost:3000",
      DATA_DIR: dataDir,
      ...databaseSettings(databaseUrl),
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "Sereno <sereno@example.com>",
      LOG_LEVEL: "warn",
      TRUSTED_PROXIES: "1",
      SIGN_UPS_PER_ADDRESS_PER_DAY: "0",
      API_REQUESTS_PER_MINUTE_PER_ADDRESS: "100000000",
      API_REQUESTS_PER_MINUTE_PER_PERSON: "100000000",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const port = await readyPort(child);
  const { text } = await ask(port, "/config.json", {});
  return {
    child,
    port,
    publishableKey: (JSON.parse(text) as { publishableKey: string }).publishableKey,
    stop: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readyPort(child: ChildProcess): Promise<number> {
  const ended = once(child, "exit").then(() => {
    throw new Error("the server exited before it was ready");
  });
  for (;;) {
    const [message] = (await Promise.race([once(child, "message"), ended])) as [{ ready?: { port: number } }];
    if (!message.ready) continue;
    ended.catch(() => {});
    return message.ready.port;
  }
}

export function credentialsOf(number: number) {
  return { email: `person-${number}@example.com`, password: "a-long-password-of-theirs" };
}

/** Signs a new person up. */
export async function signUp(server: CheckoutServer, number: number, address: string) {
  const body = JSON.stringify({ ...credentialsOf(number), data: { full_name: `Person ${number}` } });
  const headers = { apikey: server.publishableKey, "x-forwarded-for": address };
  const { text } = await ask(server.port, "/auth/v1/signup", headers, { method: "POST", body });
  const { access_token: token, user } = JSON.parse(text) as { access_token: string; user: { id: string } };
  return { token, userId: user.id };
}

/** Linux only, with a resolution of 10 ms. */
export async function cpuMsOf(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}
