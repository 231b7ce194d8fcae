import { open, rename } from "node:fs/promises";

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
