import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import type { Sql } from "postgres";
import { endTrouble, noteTrouble } from "#store/troubles.ts";

const MIB = 1024 * 1024;

export type DiskSpace = { freeBytes: number; totalBytes: number };

/** Less than a twentieth is free; but 2 GiB are always enough, and 256 MiB never are. */
export function isNearlyFull({ freeBytes, totalBytes }: DiskSpace): boolean {
  return freeBytes < Math.max(256 * MIB, Math.min(totalBytes / 20, 2_048 * MIB));
}

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Records whether this machine's disk is nearly full. */
export async function noteDisk(sql: Sql, space: DiskSpace, now: Date): Promise<void> {
  const trouble = { kind: "disk", subject: hostname().slice(0, 200) } as const;
  await (isNearlyFull(space) ? noteTrouble : endTrouble)(sql, trouble, now);
}
