// `npm run land`: adds the new migrations to the list of landed ones. Refuses to change a line of it.
import { readFile, writeFile } from "node:fs/promises";
import {
  findLandedFaults,
  LANDED_FILE,
  parseChecksums,
  printChecksums,
  readChecksums,
  unlisted,
} from "./landed-migrations.ts";

const landed = parseChecksums(await readFile(LANDED_FILE, "utf8"));
const present = await readChecksums();
const faults = findLandedFaults(landed, present);
if (faults.length > 0) {
  process.stderr.write(`${faults.join("\n")}\n`);
  process.exit(1);
}
const added = unlisted(landed, present);
await writeFile(LANDED_FILE, printChecksums([...landed, ...added]));
process.stdout.write(
  added.map(({ file }) => `${file} is listed as landed.\n`).join("") || "Nothing to add.\n",
);
