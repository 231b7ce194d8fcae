import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { readIfThere } from "./postgres/postmaster.ts";
import { StartError } from "./postgres/start-error.ts";

const secretsSchema = z.object({ databasePassword: z.string().min(32) });

export type Secrets = z.infer<typeof secretsSchema>;

/** The password of the embedded database, generated on its first start. */
export async function loadSecrets(dataFolder: string): Promise<Secrets> {
  const path = join(dataFolder, "secrets.json");
  const kept = await findSecrets(dataFolder);
  if (kept) return kept;
  if (await isThere(join(dataFolder, "postgres"))) {
    throw new StartError(
      `${path} is missing. The database next to it cannot be opened without it; restore the file, or run \`npm run ops -- new-password\`.`,
    );
  }
  const made = generateSecrets();
  // Linked, not renamed: of two first starts at once, both must use the same password.
  await writePrivateFile(path, textOf(made), link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return (await findSecrets(dataFolder)) ?? made;
}

/** Generates secrets and writes them once `apply` has succeeded. */
export async function writeNewSecrets(
  dataFolder: string,
  apply: (secrets: Secrets) => Promise<void>,
): Promise<Secrets> {
  const secrets = generateSecrets();
  await apply(secrets);
  await writePrivateFile(join(dataFolder, "secrets.json"), textOf(secrets), rename);
  return secrets;
}

const generateSecrets = (): Secrets => ({ databasePassword: randomBytes(32).toString("base64url") });

const textOf = (secrets: Secrets) => `${JSON.stringify(secrets, null, 2)}\n`;

/** Undefined if none were generated yet. */
export async function findSecrets(dataFolder: string): Promise<Secrets | undefined> {
  const path = join(dataFolder, "secrets.json");
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  await keepPrivate(path);
  return parseSecrets(text, path);
}

function parseSecrets(text: string, path: string): Secrets {
  try {
    return secretsSchema.parse(JSON.parse(text));
  } catch {
    // The original error would quote the file, and its contents must not reach a log.
    throw new StartError(
      `${path} is damaged; restore it, or run \`npm run ops -- new-password\`. Nothing else was touched.`,
    );
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Writes a file that only our user can read, atomically: an interrupted write keeps the old file. */
async function writePrivateFile(path: string, text: string, place: typeof rename): Promise<void> {
  const half = `${path}.${process.pid}.new`;
  const file = await open(half, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await place(half, path);
  } finally {
    await rm(half, { force: true });
  }
}

/** Creates a folder that only our user can enter, or removes the rights of others. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path);
  await keepPrivate(path);
}

/** Not `recursive`: Node tries forever where a folder exists in which nothing can be created, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  const code = await make().then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (code === undefined || code === "EEXIST") return;
  if (code === "ENOENT" && dirname(path) !== path) await makeFolder(dirname(path));
  await make();
}

/** Removes the rights of others, which an earlier start or a copy may have left. */
async function keepPrivate(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700);
}
