import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { freePort } from "#backend/postgres/embedded-postgres.ts";
import { databaseSettings } from "#test/migrated-postgres.ts";
import { OPERATOR } from "#test/server-process.ts";
import { createTestDatabase } from "#test/test-database.ts";

/** The files of the last stage in deploy/Dockerfile. */
async function copyAsImageDoes(to: string): Promise<void> {
  const lines = (await readFile("deploy/Dockerfile", "utf8")).split("\nFROM ").at(-1) ?? "";
  const own = [...lines.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  for (const name of [...own, "build"]) await cp(name, join(to, name), { recursive: true });
}

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
  "a build moved to another folder runs there without dev packages",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "sereno-moved-"));
    const [built, moved] = [join(folder, "built"), join(folder, "elsewhere", "sereno")];
    await copyAsImageDoes(built);
    await installWithoutDev(built);
    await mkdir(dirname(moved));
    await rename(built, moved);

    const [database, port] = [await createTestDatabase(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const child = spawn(join(moved, "node_modules/node/bin/node"), ["scripts/serve.ts"], {
      cwd: moved,
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        NODE_ENV: "production",
        ...OPERATOR,
        ...{ ROLES: "web", PORT: String(port), SITE_URL: `http://localhost:${port}` },
        ...{
          ...databaseSettings(database.url),
          SMTP_URL: "smtp://127.0.0.1:1",
          MAIL_FROM: "Sereno <a@example.com>",
        },
      },
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
    child.kill("SIGTERM");
    expect((await exited)[0]).toBe(0);
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  },
);
