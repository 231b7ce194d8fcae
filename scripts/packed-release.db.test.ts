import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { freePort } from "#backend/postgres/embedded-postgres.ts";
import { followNewcomer, startOutside } from "#test/newcomer.ts";
import { databaseSettings } from "#test/postgres/migrated-postgres.ts";
import { createTestDatabase } from "#test/test-database.ts";

/** What `npm pack` would put into the tarball, without building the web app again. */
function packedFiles(): string[] {
  const answer = execFileSync(
    "npm",
    ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=silent"],
    {
      encoding: "utf8",
    },
  );
  const [{ files }] = JSON.parse(answer) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

const files = packedFiles();

test("RUN-06 the package contains the built web, our programs and what they need, and neither tests nor sources of the web", () => {
  const needed = [
    "package.json",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    ".env.example",
    "scripts/launch.mjs",
  ];
  const ours = [
    "src/server/main.ts",
    "simulators/main.ts",
    "supabase/prepare-database.sql",
    "deploy/sereno.service",
  ];
  const built = ["build/client/index.html", "build/client/ru/index.html", "docs/operating.md"];
  expect([...needed, ...ours, ...built].filter((path) => !files.includes(path))).toEqual([]);
  expect(
    readdirSync("supabase/migrations").filter((name) => !files.includes(`supabase/migrations/${name}`)),
  ).toEqual([]);
  const unwanted =
    /\.test\.tsx?$|^(?:src\/web|test|e2e|bench|\.ci|\.github|node_modules|build\/server)\/|^package-lock|\.env$/;
  expect(files.filter((path) => unwanted.test(path))).toEqual([]);
});

test("RUN-06 the tarball's lock file leaves typescript to development, though a package names it as an optional peer", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sereno-shrinkwrap-"));
  for (const name of ["package.json", "package-lock.json"]) await cp(name, join(folder, name));
  execFileSync(process.execPath, [resolve("scripts/write-shrinkwrap.ts")], { cwd: folder });
  const read = async (path: string) => JSON.parse(await readFile(path, "utf8")).packages;
  const [written, lock] = [await read(join(folder, "npm-shrinkwrap.json")), await read("package-lock.json")];
  expect(lock["node_modules/typescript"]).toMatchObject({ devOptional: true });
  expect(written["node_modules/typescript"]).toMatchObject({ dev: true });
  expect(Object.keys(written)).toEqual(Object.keys(lock));
  await rm(folder, { recursive: true });
});

/** Like `npm ci --omit=dev`, but with links, because the packages are large. */
async function installWithoutDev(to: string): Promise<void> {
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  const wanted = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
    .map(([path]) => path)
    // Nested packages come with their parent.
    .filter((path) => path.lastIndexOf("node_modules/") === 0);
  // Packages for other platforms are not installed here.
  const present = wanted.filter((path) => existsSync(path));
  const isSameDisk = (await stat(to)).dev === (await stat("node_modules")).dev;
  execFileSync("cp", [isSameDisk ? "-al" : "-a", "--parents", ...present, to]);
}

// Other systems' `cp` has no option for links.
test.runIf(process.platform === "linux")(
  "RUN-06 the package serves a newcomer up to the first alert from node_modules, without dev packages, and keeps its data where it is called",
  { tags: "long" },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "sereno-packed-"));
    const [home, called] = [join(folder, "node_modules", "sereno"), join(folder, "called here")];
    for (const path of files) await cp(path, join(home, path));
    await installWithoutDev(folder);
    await mkdir(called);

    const [database, port, outside] = [await createTestDatabase(), await freePort(), await startOutside()];
    const url = `http://127.0.0.1:${port}`;
    const child = spawn(process.execPath, [join(home, "scripts/launch.mjs"), "serve"], {
      cwd: called,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...outside.settings(port), ...databaseSettings(database.url) },
    });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const exited = once(child, "exit");
    const isReady = async () =>
      (await fetch(`${url}/readyz`).catch(() => undefined))?.status ?? child.exitCode;
    await vi.waitUntil(async () => (await isReady()) !== null, { timeout: 60_000, interval: 100 });
    expect([await isReady(), said]).toEqual([200, ""]);
    expect(await (await fetch(url)).text()).toContain("Sereno");
    await followNewcomer(url, outside, (holds) => vi.waitUntil(holds, { timeout: 60_000 }));
    child.kill("SIGTERM");
    expect((await exited)[0]).toBe(0);
    expect(readdirSync(called)).toEqual([".data"]);
    await Promise.all([outside.close(), database.drop()]);
    await rm(folder, { recursive: true, force: true });
  },
);
