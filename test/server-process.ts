import { type ChildProcess, execFileSync, fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseSettings } from "./postgres/migrated-postgres.ts";

export type ServerProcess = {
  child: ChildProcess;
  port: number;
  exited: Promise<number | null>;
};

/** A failed start, with its exit code and output. */
export class FailedStart extends Error {
  override name = "FailedStart";
  readonly code: number | null;
  constructor(code: number | null, output: string) {
    super(output.trim());
    this.code = code;
  }
}

/** Starts the product's program on a data folder, with the embedded database, as production does. A folder names another checkout. */
export function startServerProcess(
  settings: Record<string, string>,
  onStep: (step: string, child: ChildProcess) => void = () => {},
  { folder = ".", execArgv = [] }: { folder?: string; execArgv?: string[] } = {},
): Promise<ServerProcess> {
  const child = fork("src/server/main.ts", {
    ...{ cwd: folder, execArgv },
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: "0",
      ROLES: "web",
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "Sereno <sereno@example.com>",
      ...(settings.DATABASE_URL ? databaseSettings(settings.DATABASE_URL) : {}),
      ...settings,
    },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let output = "";
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  const outputEnded = new Promise((resolve) => child.stderr?.once("end", resolve));
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  return new Promise((resolve, reject) => {
    child.on("message", (message: { step?: string; ready?: { port: number } }) => {
      if (message.step) onStep(message.step, child);
      if (message.ready) resolve({ child, port: message.ready.port, exited });
    });
    void Promise.all([exited, outputEnded]).then(([code]) => reject(new FailedStart(code, output)));
  });
}

/** The operator's settings that `npm run serve` requires, and those whose absence it reports. */
export const OPERATOR = {
  OPERATOR_NAME: "Casa Serena SL",
  OPERATOR_ADDRESS: "Calle Mayor 1, 28013 Madrid",
  OPERATOR_EMAIL: "operator@example.com",
  DATA_PROTECTION_CONTACT: "privacy@example.com",
  OPERATOR_TAX_NUMBER: "B12345674",
  HOSTING_PROVIDER: "Servidores de Prueba SL, Spain",
  GOVERNING_LAW: "Spanish law",
  BACKUP_DAYS: "14",
};

/** Runs `npm run serve` in its own process group, as a terminal does. */
export function launchServe(settings: Record<string, string>) {
  const launcher = spawn("node", ["scripts/launch.mjs", "scripts/serve.ts"], {
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      ROLES: "web",
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "Sereno <sereno@example.com>",
      LOG_LEVEL: "error",
      ...OPERATOR,
      ...settings,
    },
  });
  const exited = new Promise<number | null>((resolve) => launcher.once("exit", (code) => resolve(code)));
  return { pid: launcher.pid ?? 0, exited };
}

/** Copies a data folder with the state after a first start, which is faster than starting. Keeps owner and permissions. */
export async function makeStartedFolder(): Promise<{
  copyTo: (dataDir: string) => void;
  remove: () => Promise<void>;
}> {
  const template = await mkdtemp(join(tmpdir(), "sereno-started-"));
  const { child, exited } = await startServerProcess({ DATA_DIR: join(template, "data") });
  child.kill("SIGTERM");
  await exited;
  return {
    copyTo: (dataDir) => execFileSync("cp", ["-a", join(template, "data"), dataDir]),
    remove: () => rm(template, { recursive: true, force: true }),
  };
}

/** The URL of a data folder's embedded database. Only the folder's owner can read it. */
export async function databaseUrlOf(dataDir: string): Promise<string> {
  const { databasePassword } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  return `postgres://postgres:${databasePassword}@127.0.0.1:${(await postmasterOf(dataDir)).port}/postgres`;
}

export async function postmasterOf(dataDir: string): Promise<{ pid: number; port: number }> {
  const lines = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** Whether the product at this URL is up with all that it needs. */
export const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** A zombie process does not count as alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
