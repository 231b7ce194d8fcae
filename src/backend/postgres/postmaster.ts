import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

export type Postmaster = { pid: number; port: number };

/** The running PostgreSQL server of this folder, found by its postmaster.pid. A leftover file is ignored. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = (await readIfThere(join(folder, "postmaster.pid")))?.split("\n");
  const pid = Number(lines?.[0]);
  const port = Number(lines?.[3]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  // The pid may belong to another program by now; the command line shows which.
  const command = await commandOf(pid);
  return command?.includes(folder) ? { pid, port } : undefined;
}

/** Kills a server and all its processes: a stuck child would outlive the postmaster. */
export async function killPostmaster(pid: number): Promise<void> {
  const family = [...(await childrenOf(pid)), pid];
  for (const member of family) {
    try {
      process.kill(member, "SIGKILL");
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  // SIGKILL takes a moment; callers rely on the processes being gone.
  for (let look = 0; look < 40; look += 1) {
    const living = new Set((await allProcesses()).map(([living]) => living));
    if (!family.some((member) => living.has(member))) return;
    await pause(50);
  }
}

export async function childrenOf(pid: number): Promise<number[]> {
  const isChild = ([, parent]: number[]) => parent === pid;
  return (await allProcesses()).filter(isChild).flatMap(([child]) => child ?? []);
}

/** Pid and parent pid of every process that has not ended. */
async function allProcesses(): Promise<number[][]> {
  if (process.platform !== "linux") {
    const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
    return stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  }
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid) => {
      const text = (await readIfThere(`/proc/${pid}/stat`)) ?? "";
      // The name before the state may contain anything, including parentheses.
      const [, state, parent] = text.slice(text.lastIndexOf(")")).split(" ");
      return state === undefined || state === "Z" ? [] : [[Number(pid), Number(parent)]];
    }),
  );
  return all.flat();
}

export const isRunning = async (pid: number): Promise<boolean> => (await commandOf(pid)) !== undefined;

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
