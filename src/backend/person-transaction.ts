// The only place that runs statements with a person's rights. The role and the claims are set by one prepared statement,
// sent together with the first question, for this transaction alone.
import type { JWTPayload } from "jose";
import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";

/** The claims of a verified access token; undefined for a guest. */
export type PersonClaims = JWTPayload | undefined;

export type Statement = {
  /** Fixed keywords, identifiers of the catalogue and `$1…$n`: nothing that a caller sent. */
  text: string;
  /** Strings and null alone: the driver could fail on any other value after it has sent the statement before it. */
  values: (string | null)[];
  /** Whether each connection keeps the prepared statement. */
  isPrepared: boolean;
};

export type PersonRow = Record<string, unknown>;

export type Ask = (statement: Statement) => Promise<PersonRow[]>;

const SET_CONTEXT = `select set_config('role', $1, true), set_config('request.jwt.claim.role', $1, true),
  set_config('request.jwt.claim.sub', $2, true), set_config('request.jwt.claims', $3, true),
  set_config('transaction_read_only', $4, true)`;

/**
 * Runs all of `act` in one transaction, which is rolled back if it throws. Where it failed for a reason that is gone with the
 * failure, it is run once more.
 */
export async function runAsPerson<Result>(
  sql: Sql,
  person: { claims: PersonClaims; isReadOnly: boolean },
  act: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const { claims, isReadOnly } = person;
  const context = [
    claims ? "authenticated" : "anon",
    claims?.sub ?? "",
    claims ? JSON.stringify(claims) : "",
    isReadOnly ? "on" : "off",
  ];
  let isBegun = false;
  const run = () =>
    inTransaction(sql, async (db) => {
      isBegun = true;
      const set = db.unsafe(SET_CONTEXT, context, { prepare: true }).execute();
      return act(async ({ text, values, isPrepared }) => {
        const asked = db.unsafe<PersonRow[]>(text, values, { prepare: isPrepared }).execute();
        const [, rows] = await Promise.all([set, asked]);
        return rows;
      });
    });
  try {
    return await run();
  } catch (error) {
    if (isOutdatedStatement(error) || (!isBegun && isPastShutdown(error))) return run();
    throw error;
  }
}

/** A prepared statement whose columns have changed since: https://www.postgresql.org/docs/current/sql-prepare.html */
function isOutdatedStatement(error: unknown): boolean {
  return error instanceof Error && "routine" in error && error.routine === "RevalidateCachedQuery";
}

/** The driver reports why a connection was closed to the next request that uses it, although that one has just reconnected. */
function isPastShutdown(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57P01";
}
