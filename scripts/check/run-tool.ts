import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ToolResult {
  isGood: boolean;
  output: string;
}

/** Linux's file system in memory. The tests create and drop hundreds of databases, of several hundred files each. */
const MEMORY_FOLDER = "/dev/shm";
const LEAST_FREE_BYTES = 4 * 1024 ** 3;

/** The folder of temporary files of all tools of a run. */
export async function withTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  const parent = bavail * bsize >= LEAST_FREE_BYTES ? MEMORY_FOLDER : tmpdir();
  const folder = await mkdtemp(join(parent, "sereno-check-"));
  try {
    // For root, PostgreSQL runs as another user.
    await chmod(folder, 0o1777);
    process.env.TMPDIR = folder;
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a program of `node_modules/.bin`. */
export function runTool(
  name: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<ToolResult> {
  const programs = join(process.cwd(), "node_modules", ".bin");
  return new Promise((resolve) => {
    const child = spawn(join(programs, name), args, {
      env: { ...process.env, ...environment, PATH: `${programs}:${process.env.PATH}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const keep = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => resolve({ isGood: false, output: error.message }));
    child.on("close", (code) => resolve({ isGood: code === 0, output }));
  });
}
