import { spawn } from "node:child_process";
import { chown, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { POSTGRES_MAJOR, type PostgresBinaries } from "./binaries.ts";
import { explainFailure } from "./explain-failure.ts";
import type { RunAs } from "./run-as.ts";
import { StartError } from "./start-error.ts";

/** Builds the cluster in another folder and renames it, so an interrupted start leaves nothing behind. */
export async function createCluster(options: {
  binaries: PostgresBinaries;
  runAs: RunAs;
  folder: string;
  password: string;
}): Promise<void> {
  const { binaries, runAs, folder, password } = options;
  const half = `${folder}.new`;
  await rm(half, { recursive: true, force: true });
  await mkdir(half, { mode: 0o700, recursive: true });
  const passwordFile = join(half, "..", ".initdb-password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (runAs.account) {
    await chown(half, runAs.account.uid, runAs.account.gid);
    await chown(passwordFile, runAs.account.uid, runAs.account.gid);
  }
  try {
    await runInitdb({ binaries, runAs, folder: half, passwordFile });
    await rename(half, folder);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(half, { recursive: true, force: true });
  }
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
