import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "#backend/postgres/start-error.ts";
import { makePrivateFolder } from "#backend/secrets.ts";

/** Makes the data folder private and checks that it can be written. */
export async function openDataFolder(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    await makePrivateFolder(folder);
    await writeFile(probe, "x", { mode: 0o600 });
    await rm(probe);
  } catch (cause) {
    throw new StartError(sentenceFor(cause, folder), { cause });
  }
}

function sentenceFor(error: unknown, folder: string): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") {
    return `The disk that holds ${folder} is full; free some space and start again, nothing was lost.`;
  }
  return `The data folder ${folder} cannot be created, written and made private (${code}); set DATA_DIR to another one.`;
}
