import { chmod, mkdir, open, rename, stat } from "node:fs/promises";

/** Writes a file that only we may read, whole or not at all: a kill halfway leaves the old one. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const half = `${path}.new`;
  const file = await open(half, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(half, path);
}

/** Makes a folder that only we may enter, or takes others' rights to it away. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await keepPrivate(path);
}

/** Takes others' rights to a file or folder away, which an earlier start or a copy may have left. */
export async function keepPrivate(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700);
}
