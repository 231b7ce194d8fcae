// Describes the machine of a measurement, and reads the memory of the product's processes (Linux only).
import { readFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import type { Sql } from "postgres";
import { childrenOf } from "#backend/postgres/postmaster.ts";

export async function describeMachine(sql: Sql): Promise<string> {
  const [row] = await sql<[{ version: string }]>`select current_setting('server_version') as version`;
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Machine: ${availableParallelism()} cores (${process.arch}, ${cpu?.model.trim() ?? "unknown"}), ${memory} GB of memory, ${process.platform}, Node ${process.version.slice(1)}, PostgreSQL ${row.version}; product, database, simulators and clients share it.`;
}

export interface Memory {
  readonly serverMb: number;
  readonly postgresMb: number;
}

export async function memoryOf(serverPid: number, postmasterPid: number): Promise<Memory> {
  const backends = await childrenOf(postmasterPid);
  const shares = await Promise.all(
    [postmasterPid, ...backends].map((pid) => kilobytes(pid, "smaps_rollup", "Pss")),
  );
  return {
    serverMb: (await kilobytes(serverPid, "status", "VmRSS")) / 1024,
    // Memory that its processes share is counted once.
    postgresMb: shares.reduce((sum, share) => sum + share, 0) / 1024,
  };
}

async function kilobytes(pid: number, file: string, name: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
}

/** Linux only, with a resolution of 10 ms. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}
