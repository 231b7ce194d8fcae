import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export type Postmaster = { pid: number; port: number };

/** The PostgreSQL server that is alive on this folder, going by its postmaster.pid; a leftover file is not one. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = (await readIfThere(join(folder, "postmaster.pid")))?.split("\n");
  const pid = Number(lines?.[0]);
  const port = Number(lines?.[3]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  // The number may have been given to another program since: only its command line tells.
  const command = await commandOf(pid);
  return command?.includes(folder) ? { pid, port } : undefined;
}

async function commandOf(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") return readIfThere(`/proc/${pid}/cmdline`);
  return promisify(execFile)("ps", ["-p", String(pid), "-o", "command="]).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  // ESRCH: the process ended between opening and reading its /proc entry.
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH");
}
