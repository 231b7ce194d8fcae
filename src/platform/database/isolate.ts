import type { TransactionSql } from "postgres";
import { isLost } from "./in-transaction.ts";
import type { Db } from "./json-parameter.ts";

/** Runs a part of a transaction. If it throws, only its own changes are undone. */
export async function inSavepoint<Result>(db: Db, run: (db: Db) => Promise<Result>): Promise<Result> {
  const result = await (db as TransactionSql).savepoint(async (part) => ({ value: await run(part) }));
  return result.value as Result;
}

export interface Culprit<One> {
  readonly one: One;
  readonly error: unknown;
}

/** If more throw, and nothing else passes, the cause is not in them. */
const MOST_WITHOUT_OTHERS = 3;

/**
 * Runs a task for all at once. If that throws, it is run for halves, so that those which throw alone are found with few repetitions
 * and everything else is done. What `run` changes must be undone if it throws. Throws if all of many throw.
 */
export async function runIsolated<One>(
  all: readonly One[],
  run: (some: readonly One[]) => Promise<void>,
): Promise<Culprit<One>[]> {
  const culprits = await findCulprits(all, run);
  const [first] = culprits;
  if (first && culprits.length === all.length && all.length > MOST_WITHOUT_OTHERS) throw first.error;
  return culprits;
}

async function findCulprits<One>(
  all: readonly One[],
  run: (some: readonly One[]) => Promise<void>,
): Promise<Culprit<One>[]> {
  if (all.length === 0) return [];
  try {
    await run(all);
    return [];
  } catch (error) {
    if (isLost(error)) throw error;
    const [one] = all;
    if (all.length === 1 && one !== undefined) return [{ one, error }];
    const half = Math.ceil(all.length / 2);
    return [...(await findCulprits(all.slice(0, half), run)), ...(await findCulprits(all.slice(half), run))];
  }
}
