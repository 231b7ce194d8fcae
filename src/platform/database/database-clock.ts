import type { Db } from "./json-parameter.ts";

/** With a larger difference between machine and database, sessions, mailed links and Telegram's limits fail. */
export const MOST_SKEW_MS = 30_000;

/** Smaller differences are the time that the answer took. */
const NEGLIGIBLE_MS = 250;

export interface DatabaseClock {
  /** The database's time in ms. Due times are written and compared with it: processes on several machines share them. */
  now(): number;
  /** Compares again. Positive if this machine is ahead of the database. */
  measure(): Promise<number>;
}

export async function createDatabaseClock(sql: Db, machineNow = Date.now): Promise<DatabaseClock> {
  let skewMs = 0;
  let stepMs = stepOf(machineNow);
  const measure = async () => {
    stepMs = stepOf(machineNow);
    const measuredMs = await measureSkew(sql, machineNow);
    // Otherwise the time would jump back and forth with every measurement.
    if (Math.abs(measuredMs - skewMs) > NEGLIGIBLE_MS) skewMs = measuredMs;
    return measuredMs;
  };
  await measure();
  const now = () => {
    if (Math.abs(stepOf(machineNow) - stepMs) > NEGLIGIBLE_MS) {
      measure().catch(() => {
        // The database does not answer. Monitoring measures again every minute.
      });
    }
    return machineNow() - skewMs;
  };
  return { now, measure };
}

/** Changes only if the machine's clock is set, or the machine was suspended. */
const stepOf = (machineNow: () => number) => machineNow() - performance.now();

export async function measureSkew(sql: Db, machineNow = Date.now): Promise<number> {
  const askedMs = machineNow();
  const [row] = await sql<[{ ms: number }]>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  return (askedMs + machineNow()) / 2 - row.ms;
}

/** "600 s ahead of" or "600 s behind". */
export function skewWords(skewMs: number): string {
  return `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? "ahead of" : "behind"}`;
}
