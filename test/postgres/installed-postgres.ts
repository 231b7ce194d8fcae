import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { OLDEST_POSTGRES_MAJOR } from "#backend/postgres/binaries.ts";

/** Where Debian's package puts the programs of the oldest version that Sereno supports. */
export const OLDEST_PROGRAMS = `/usr/lib/postgresql/${OLDEST_POSTGRES_MAJOR}/bin`;

export const isOldestInstalled = existsSync(join(OLDEST_PROGRAMS, "postgres"));

/** The programs in a folder, with their version. */
export async function binariesIn(folder: string) {
  const { stdout } = await promisify(execFile)(join(folder, "postgres"), ["--version"]);
  const major = /(\d+)\./.exec(stdout)?.[1] ?? "";
  return { postgres: join(folder, "postgres"), initdb: join(folder, "initdb"), major };
}
