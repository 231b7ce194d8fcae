// The checksums of all landed migrations, in the format of sha256sum. A landed migration has run on databases of others, so it
// never changes again. `npm run land` adds the missing lines as the last step before a landing.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const MIGRATIONS = "supabase/migrations";
export const LANDED_FILE = "supabase/landed-migrations.sha256";

export type Checksum = { sum: string; file: string };

export const parseChecksums = (text: string): Checksum[] =>
  [...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, sum = "", file = ""]) => ({ sum, file }));

export const printChecksums = (list: readonly Checksum[]) =>
  list.map(({ sum, file }) => `${sum}  ${file}\n`).join("");

/** The migrations of this checkout, oldest first. */
export async function readChecksums(folder = MIGRATIONS): Promise<Checksum[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file) => {
      const sum = createHash("sha256").update(await readFile(join(folder, file)));
      return { sum: sum.digest("hex"), file };
    }),
  );
}

/** One sentence for each landed migration that is not as it landed, and for each new one that would run before one. */
export function findLandedFaults(landed: readonly Checksum[], present: readonly Checksum[]): string[] {
  const sums = new Map(present.map(({ sum, file }) => [file, sum]));
  const changed = landed.flatMap(({ sum, file }) => {
    const found = sums.get(file);
    if (found === undefined) return [`${file} has landed and is missing: restore it.`];
    return found === sum
      ? []
      : [`${file} has landed and was changed: restore it, and write another migration.`];
  });
  const last = landed.at(-1)?.file ?? "";
  const early = unlisted(landed, present).filter(({ file }) => file < last);
  return [
    ...changed,
    ...early.map(({ file }) => `${file} would run before ${last}, which has landed: rename it.`),
  ];
}

/** The migrations that have not landed yet; a branch may still edit them. */
export function unlisted(landed: readonly Checksum[], present: readonly Checksum[]): Checksum[] {
  const files = new Set(landed.map(({ file }) => file));
  return present.filter(({ file }) => !files.has(file));
}
