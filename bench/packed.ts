// Tries the packed release as an operator does: `npm pack`, `npx ./sereno-*.tgz` in an empty folder until it is ready, and `serve` from
// the package that npx installed, with the embedded database and with a PostgreSQL of its own, until a newcomer's first alert.
// Target: ready within a minute, if npm's cache holds the packages (a second run).
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#backend/postgres/embedded-postgres.ts";
import { followNewcomer, startOutside } from "#test/newcomer.ts";
import { databaseSettings, run, startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { isReady } from "#test/server-process.ts";
import { judge, until } from "./harness/measure.ts";

const WITHIN_MS = 300_000;
const TARGET_S = 60;
const folder = await mkdtemp(join(tmpdir(), "sereno-packed-"));
const npx = join(execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim(), "_npx");
const installed = () => readdir(npx).catch((): string[] => []);

/** Starts the command in an empty folder, and stops it after the use. Returns the seconds until it was ready. */
async function tryOut(
  name: string,
  [command = "", ...args]: string[],
  settings: Record<string, string>,
  use: (url: string) => Promise<void> = async () => {},
): Promise<number> {
  const cwd = join(folder, name);
  await mkdir(cwd);
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...settings },
  });
  const exited = once(child, "exit");
  const url = `http://127.0.0.1:${settings.PORT}`;
  try {
    const isOver = async () => (await isReady(url)) || child.exitCode !== null;
    if (!(await until(isOver, WITHIN_MS)) || child.exitCode) throw new Error(`${name} did not start`);
    const seconds = (performance.now() - startedAt) / 1000;
    await use(url);
    return Number(seconds.toFixed(1));
  } finally {
    child.kill("SIGTERM");
    await exited;
  }
}

async function serve(name: string, home: string, database: Record<string, string>) {
  const outside = await startOutside();
  const settings = { ...outside.settings(await freePort()), ...database };
  let alerted = 0;
  const ready = await tryOut(
    name,
    [process.execPath, join(home, "scripts/launch.mjs"), "serve"],
    settings,
    async (url) => {
      const startedAt = performance.now();
      await followNewcomer(url, outside, (holds) => until(holds, WITHIN_MS));
      alerted = (performance.now() - startedAt) / 1000;
    },
  );
  await outside.close();
  return { "ready after s": ready, "from sign-up to the alert s": Number(alerted.toFixed(1)) };
}

const before = await installed();
try {
  execFileSync("npm", ["pack", "--loglevel=error", `--pack-destination=${folder}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const tarball = (await readdir(folder)).find((file) => file.endsWith(".tgz")) ?? "";
  const ports = { PORT: String(await freePort()), CONSOLE_PORT: String(await freePort()) };
  // As `npx ./sereno-*.tgz`; npx keeps what it installed by this path, which is new in every run.
  const npxArgs = ["--yes", `--package=${join(folder, tarball)}`, "sereno"];
  const seconds = await tryOut("trial", ["npx", ...npxArgs], ports);
  const [packages = ""] = (await installed()).filter((one) => !before.includes(one));
  const home = join(npx, packages, "node_modules", "sereno");
  const [kilobytes] = execFileSync("du", ["-sk", join(npx, packages)], { encoding: "utf8" }).split("\t");
  const embedded = await serve("embedded", home, {});

  const server = await startMigratedPostgres({}, () => {});
  const url = await server.createBare();
  await run(url, await readFile("supabase/prepare-database.sql", "utf8"));
  const own = await serve("own", home, databaseSettings(url));
  await server.stop();
  console.table({
    [`npx ./${tarball}`]: { "ready after s": seconds, "installed MB": Math.round(Number(kilobytes) / 1024) },
    "serve, embedded database": embedded,
    "serve, own PostgreSQL": own,
  });
  judge(`ready within ${TARGET_S} s`, seconds <= TARGET_S);
} finally {
  for (const one of (await installed()).filter((one) => !before.includes(one))) {
    await rm(join(npx, one), { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
}
