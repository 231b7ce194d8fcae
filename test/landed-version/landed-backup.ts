import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import landed from "./landed.json" with { type: "json" };
import type { City } from "./simulated-city.ts";

export const landedCity: City = landed as City;

/** Writes the backup as if it had been made just now, because old rows are removed. */
export async function writeLandedBackup(path: string): Promise<void> {
  const text = gunzipSync(await readFile(new URL("landed.backup", import.meta.url))).toString();
  const madeAt = /"madeAt":"([^"]+)"/.exec(text)?.[1] ?? "";
  const shiftMs = Date.now() - Date.parse(madeAt);
  const shifted = text.replace(/\d{4}-\d\d-\d\d[ T][\d:.]{8,15}(?:\+00|Z)/g, (time) =>
    new Date(Date.parse(time.replace(/\+00$/, "Z")) + shiftMs).toISOString(),
  );
  await writeFile(path, gzipSync(shifted));
}
