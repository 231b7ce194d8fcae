import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { glob, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

const INPUTS = [
  "src/{web,core,text}/**/*",
  "public/**/*",
  "package-lock.json",
  "react-router.config.ts",
  "vite.config.ts",
  "scripts/web/{build-worker,bundle-report}.ts",
];
const STAMP = "build/inputs";

/** A packed release contains the finished pages and not their sources. */
const isPacked = !existsSync(new URL("../../vite.config.ts", import.meta.url));

/** Builds the web app if its sources have changed since the last build. */
export async function buildWebIfStale(onStep: (step: string) => void, signal?: AbortSignal): Promise<void> {
  if (isPacked) return;
  const inputs = await hashInputs();
  if (existsSync(STAMP) && (await readFile(STAMP, "utf8")) === inputs) return;
  onStep("Building the web app");
  await build(signal);
  await writeFile(STAMP, inputs);
}

/** Stopped by the signal, because a build would outlive us. */
async function build(signal: AbortSignal | undefined): Promise<void> {
  const child = spawn("node_modules/.bin/react-router", ["build"], {
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal ? { signal, killSignal: "SIGKILL" as const } : {}),
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`The web app could not be built:\n${said}`);
}

async function hashInputs(): Promise<string> {
  // Relative paths, so that a moved build is still up to date.
  const paths: string[] = [];
  for (const pattern of INPUTS) {
    for await (const entry of glob(pattern, { withFileTypes: true })) {
      if (entry.isFile() && !entry.name.includes(".test."))
        paths.push(relative("", join(entry.parentPath, entry.name)));
    }
  }
  const hash = createHash("sha256");
  for (const path of paths.sort()) hash.update(path).update(await readFile(path));
  return hash.digest("hex");
}
