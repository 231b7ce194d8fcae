import { spawn } from "node:child_process";
import { chown, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { POSTGRES_MAJOR, type PostgresBinaries } from "./binaries.ts";
import { explainFailure } from "./explain-failure.ts";
import { isRunning, readIfThere } from "./postmaster.ts";
import type { RunAs } from "./run-as.ts";
import { JUST_STARTED, StartError } from "./start-error.ts";

/** Builds the cluster in another folder and renames it, so an interrupted start leaves nothing behind. */
export async function createCluster(options: {
  binaries: PostgresBinaries;
  runAs: RunAs;
  folder: string;
  password: string;
}): Promise<void> {
  const { binaries, runAs, folder, password } = options;
  const half = `${folder}.new`;
  const passwordFile = join(half, "..", ".initdb-password");
  await claim(passwordFile, password);
  try {
    // Another first start may have ended meanwhile.
    if (await readIfThere(join(folder, "PG_VERSION"))) throw new StartError(JUST_STARTED);
    await rm(half, { recursive: true, force: true });
    await mkdir(half, { mode: 0o700, recursive: true });
    if (runAs.account) {
      await chown(half, runAs.account.uid, runAs.account.gid);
      await chown(passwordFile, runAs.account.uid, runAs.account.gid);
    }
    await runInitdb({ binaries, runAs, folder: half, passwordFile });
    await rename(half, folder);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(half, { recursive: true, force: true });
  }
}

/** Creating a cluster takes seconds. An older claim was left by a killed start, whatever has its process id now. */
const CLAIM_MS = 60_000;

/** The file for initdb, which reads its first line, also keeps other first starts out. */
async function claim(passwordFile: string, password: string): Promise<void> {
  const text = `${password}\n${process.pid}\n`;
  const write = () => writeFile(passwordFile, text, { mode: 0o600, flag: "wx" });
  await write().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    if (await isClaimed(passwordFile)) throw new StartError(JUST_STARTED);
    await rm(passwordFile, { force: true });
    await write();
  });
}

async function isClaimed(passwordFile: string): Promise<boolean> {
  const pid = Number((await readIfThere(passwordFile))?.split("\n")[1]);
  const written = await stat(passwordFile).catch(() => undefined);
  const isRecent = written !== undefined && Date.now() - written.mtimeMs < CLAIM_MS;
  return isRecent && pid !== process.pid && (await isRunning(pid));
}

/** Before version 17 PostgreSQL has no collation of its own and uses the operating system's. */
function localeOf(major = String(POSTGRES_MAJOR)): string[] {
  if (Number(major) < 17) return ["--locale=C.UTF-8"];
  return ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
}

function runInitdb(options: {
  binaries: PostgresBinaries;
  runAs: RunAs;
  folder: string;
  passwordFile: string;
}): Promise<void> {
  const { binaries, runAs, folder, passwordFile } = options;
  const { program, args, as } = runAs.command(binaries.initdb, [
    `--pgdata=${folder}`,
    `--pwfile=${passwordFile}`,
    "--username=postgres",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    ...localeOf(binaries.major),
  ]);
  return new Promise((resolve, reject) => {
    const initdb = spawn(program, args, { ...as, env: { LC_ALL: "C", PATH: "/usr/bin:/bin" } });
    let log = "";
    const keep = (chunk: Buffer) => {
      log += chunk;
    };
    initdb.stdout.on("data", keep);
    initdb.stderr.on("data", keep);
    initdb.on("error", reject);
    initdb.on("close", (code) => {
      if (code === 0) return resolve();
      const said = log.trim().split("\n").at(-1);
      reject(
        new StartError(
          explainFailure(log, folder) ?? `PostgreSQL could not create its folder ${folder}: ${said}`,
        ),
      );
    });
  });
}
