// A tab that was opened before a deployment loads scripts of the build before. Those files have a hash in their name, and are
// served for a week after another build has replaced theirs.
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const KEPT_MS = 7 * 86_400_000;
const ASSETS = "assets";
/** Its content is the time when another build was first started. */
const REPLACED = "replaced";

/**
 * Copies the assets of the current build to a folder of its own under `kept`, and deletes those of builds that were replaced
 * more than a week ago. Returns the folders of the builds to serve beside the current one, the newest first.
 */
export async function keepAssets({
  folder,
  kept,
  now,
}: {
  folder: string;
  kept: string;
  now: number;
}): Promise<string[]> {
  const current = await nameOfBuild(join(folder, ASSETS));
  await mkdir(kept, { recursive: true });
  const names = await readdir(kept);
  if (!names.includes(current)) await copyWhole(join(folder, ASSETS), join(kept, current));
  await rm(join(kept, current, REPLACED), { force: true });
  const older: { build: string; replacedAt: number }[] = [];
  for (const name of names.filter((one) => one !== current)) {
    const build = join(kept, name);
    const replacedAt = await timeOfReplacement(build, now);
    if (now - replacedAt > KEPT_MS) await rm(build, { recursive: true, force: true });
    else older.push({ build, replacedAt });
  }
  return older.sort((one, other) => other.replacedAt - one.replacedAt).map(({ build }) => build);
}

async function nameOfBuild(assets: string): Promise<string> {
  const files = await readdir(assets, { recursive: true }).catch(() => []);
  return createHash("sha256").update(files.sort().join("\n")).digest("hex").slice(0, 16);
}

/** A copy that was interrupted must not count as a build. */
async function copyWhole(assets: string, build: string): Promise<void> {
  const unfinished = `${build}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  await cp(assets, join(unfinished, ASSETS), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rename(unfinished, build);
}

async function timeOfReplacement(build: string, now: number): Promise<number> {
  const file = join(build, REPLACED);
  const written = await readFile(file, "utf8").catch(() => undefined);
  if (written !== undefined) return Number(written);
  await writeFile(file, String(now));
  return now;
}
