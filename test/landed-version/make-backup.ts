// Starts the version of Sereno in a folder with its simulators, lets a few people use it, and writes a backup of it and what each
// of them saw. `node test/landed-version/make-backup.ts <folder of that version> <a free port; the next one too> [data folder]`
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { liveInCity } from "./simulated-city.ts";

const [version = ".", firstPort = "5700", keptFolder] = process.argv.slice(2);
const port = Number(firstPort);
const outside = { siteUrl: `http://localhost:${port}`, consoleUrl: `http://localhost:${port + 1}` };
const folder = await mkdtemp(join(tmpdir(), "sereno-landed-"));
const environment = {
  ...process.env,
  PORT: String(port),
  CONSOLE_PORT: String(port + 1),
  SITE_URL: outside.siteUrl,
  DATA_DIR: join(folder, "data"),
};
const ops = (...args: string[]) =>
  execFileSync("npm", ["run", "--silent", "ops", "--", ...args], { cwd: version, env: environment });

const product = spawn("npm", ["start"], {
  ...{ cwd: version, env: environment },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  await isReady(product);
  const city = await liveInCity(outside);
  ops("suspend", city.suspended);
  const backup = join(folder, "landed.backup");
  ops("backup", backup);
  await cp(backup, resolve(import.meta.dirname, "landed.backup"));
  await writeFile(resolve(import.meta.dirname, "landed.json"), `${JSON.stringify(city, null, 2)}\n`);
} finally {
  product.kill("SIGTERM");
  await once(product, "exit");
  if (keptFolder) execFileSync("cp", ["-a", join(folder, "data"), keptFolder]);
  await rm(folder, { recursive: true, force: true });
}

/** The last lines that `npm start` prints name the site and the console. */
async function isReady({ stdout }: ChildProcess): Promise<void> {
  let said = "";
  for await (const chunk of stdout ?? []) {
    said += chunk;
    if (said.includes(outside.consoleUrl)) return;
  }
  throw new Error(`${version} did not start: ${said}`);
}
