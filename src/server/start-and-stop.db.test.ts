import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findPostmaster } from "#backend/postgres/postmaster.ts";
import { listenOnLoopback } from "#simulators/listen-on-loopback.ts";
import {
  FailedStart,
  isAlive,
  makeStartedFolder,
  postmasterOf,
  type ServerProcess,
  startServerProcess,
} from "#test/server-process.ts";
import { runOps } from "./ops/run-ops.ts";

let started: Awaited<ReturnType<typeof makeStartedFolder>>;
let folder: string;
let dataDir: string;
let running: ServerProcess[] = [];

beforeAll(async () => {
  started = await makeStartedFolder();
});

afterAll(() => started.remove());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-start-"));
  dataDir = join(folder, "data");
  running = [];
});

afterEach(async () => {
  for (const { child, exited } of running) {
    child.kill("SIGTERM");
    await exited;
  }
  await rm(folder, { recursive: true, force: true });
});

async function start(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServerProcess({ DATA_DIR: dataDir, ...settings });
  running.push(server);
  return server;
}

const failure = (settings: Record<string, string> = {}): Promise<FailedStart> =>
  start(settings).then(
    () => {
      throw new Error("it started");
    },
    (error) => error,
  );

const stop = async (server: ServerProcess) => {
  server.child.kill("SIGTERM");
  return { code: await server.exited };
};

test("DOOR-11 a first start clears away what a killed one left and makes keys and secrets for nobody else to read, SIGTERM stops everything, and a second start keeps them", async () => {
  await mkdir(join(dataDir, "postgres.new", "base"), { recursive: true });
  await writeFile(join(dataDir, "secrets.json.new"), '{"databasePass');
  await chmod(dataDir, 0o777);
  const first = await start();
  const { pid } = await postmasterOf(dataDir);
  expect(isAlive(pid)).toBe(true);
  expect(await stop(first)).toEqual({ code: 0 });
  expect(isAlive(pid)).toBe(false);
  const modes = async () => {
    const names = [".", "secrets.json", "postgres"];
    return Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).mode & 0o777));
  };
  expect(await modes()).toEqual([0o700, 0o600, 0o700]);
  const secrets = join(dataDir, "secrets.json");
  const made = await readFile(secrets, "utf8");
  await chmod(dataDir, 0o755);
  await chmod(secrets, 0o644);
  await stop(await start());
  expect(await modes()).toEqual([0o700, 0o600, 0o700]);
  expect(await readFile(secrets, "utf8")).toBe(made);
});

test("RUN-07 of three first starts at once on a new folder one runs, the others say so, and it starts again", {
  tags: "long",
}, async () => {
  const outcomes = await Promise.all(
    [1, 2, 3].map(() =>
      start().then(
        () => "runs",
        ({ message }) => message,
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === "runs")).toHaveLength(1);
  const refused =
    /^(Another Sereno has just started on |Sereno is already running on |Another PostgreSQL server is still using )/;
  for (const outcome of outcomes) if (outcome !== "runs") expect(outcome).toMatch(refused);
  expect((await readdir(dataDir)).filter((name) => name.endsWith(".new") || name.startsWith("."))).toEqual(
    [],
  );
  for (const server of running) await stop(server);
  await start();
});

test("a taken port: one sentence, exit code 1, and the database is stopped again", async () => {
  started.copyTo(dataDir);
  const other = await listenOnLoopback((_, response) => void response.end());
  const error = await failure({ PORT: String(other.port) });
  await other.stop();
  expect(error.message).toBe(
    `Port ${other.port} is taken by another program; stop it, or choose another with PORT.`,
  );
  expect(error.code).toBe(1);
  expect(await findPostmaster(join(dataDir, "postgres"))).toBeUndefined();
});

test("RUN-07 a data folder of another version, lost secrets beside a database, and damaged ones: one sentence each, nothing touched, no secret in it, and a way out", async () => {
  started.copyTo(dataDir);
  const version = join(dataDir, "postgres", "PG_VERSION");
  await writeFile(version, "17\n");
  const other = await failure();
  expect(other.message).toContain("was written by PostgreSQL 17, and this is PostgreSQL 18");
  expect(other.code).toBe(1);
  await writeFile(version, "18\n");
  const file = join(dataDir, "secrets.json");
  const secrets = await readFile(file, "utf8");
  await rm(file);
  expect((await failure()).message).toContain("secrets.json is missing");
  await writeFile(file, secrets.slice(0, 50));
  const damaged = await failure();
  expect(damaged.message).toContain("secrets.json is damaged");
  expect(damaged.message).not.toContain(secrets.slice(25, 50));
  expect(damaged.message).toContain("npm run ops -- new-password");
  const settings = { databaseUrl: undefined, dataDir };
  expect(JSON.parse(await runOps(["new-password", "--json"], settings, new Date()))).toEqual({ file });
  expect(await readFile(file, "utf8")).not.toBe(secrets);
  expect((await stat(file)).mode & 0o077).toBe(0);
  const running = await start();
  await expect(runOps(["new-password"], settings, new Date())).rejects.toThrow("stop it first");
  await stop(running);
});

test("a postmaster.pid left by a crash is no obstacle, even when its number is another program's now; a second start on the folder is refused; without its parent process the first stops", async () => {
  started.copyTo(dataDir);
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  await writeFile(pidFile, `${process.pid}\n${join(dataDir, "postgres")}\n0\n5432\n\n127.0.0.1\n\nready\n`);
  await chmod(pidFile, 0o644);
  const first = await start();

  const error = await failure();
  expect(error.message).toBe(
    `Sereno is already running on ${join(dataDir, "postgres")}; stop it first, or set DATA_DIR to another folder.`,
  );
  expect(error.code).toBe(1);
  expect((await fetch(`http://127.0.0.1:${first.port}/readyz`)).status).toBe(200);

  const { pid } = await postmasterOf(dataDir);
  first.child.disconnect();
  expect(await first.exited).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

const canMount = process.platform === "linux" && process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  try {
    execFileSync("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

// Needs the right to mount a small disk; without it there is none to fill.
test.skipIf(!canMount)(
  "a full disk: one sentence, exit code 1, and with space it goes on",
  {
    tags: "long",
  },
  async () => {
    await mkdir(dataDir);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=20m,mode=755", "sereno-test", dataDir]);
    try {
      const error = await failure();
      expect(error.message).toContain("is full; free some space and start again, nothing was lost.");
      expect(error.code).toBe(1);
      execFileSync("mount", ["-o", "remount,size=200m", dataDir]);
      await stop(await start());
      const filler = join(dataDir, "filler");
      await writeFile(filler, "");
      execFileSync("sh", ["-c", `cat /dev/zero > ${filler} || true`], { stdio: "ignore" });
      // What a stop or a start tidies away may be just enough to start on; if not, it says what is wrong.
      const second = await start().then(stop, (error: FailedStart) => error);
      expect([0, 1]).toContain(second.code);
      if (second instanceof FailedStart) expect(second.message.split("\n")).toHaveLength(1);
      await rm(filler);
      await stop(await start());
    } finally {
      execFileSync("umount", ["-l", dataDir]);
    }
  },
);
