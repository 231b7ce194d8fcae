// The only place that runs statements with a person's rights. One prepared statement sets role and claims for the
// transaction; it is sent together with the first query.
import type { JWTPayload } from "jose";
import type { Sql } from "postgres";
import { inTransaction, isDeadlock } from "#platform/database/in-transaction.ts";

/** The claims of a verified access token; undefined for a guest. */
export type PersonClaims = JWTPayload | undefined;

export type Statement = {
  /** Consists of fixed keywords, identifiers from the catalogue and `$1…$n`; nothing a caller sent. */
  text: string;
  /** Only strings and null: with any other value the driver could fail after it has sent the previous statement. */
  values: (string | null)[];
  isPrepared: boolean;
};

export type PersonRow = Record<string, unknown>;

export type Ask = (statement: Statement) => Promise<PersonRow[]>;

const SET_CONTEXT = `select set_config('role', $1, true), set_config('request.jwt.claim.role', $1, true),
  set_config('request.jwt.claim.sub', $2, true), set_config('request.jwt.claims', $3, true),
  set_config('transaction_read_only', $4, true), set_config('sereno.proof', $5, true)`;

// The session may have ended since its token was checked: a body can arrive late, and a request may wait for its turn. What
// ends a session locks its person, so a change comes before it or is refused.
const CHECK_BEFORE_READING = "select private.require_session()";
const CHECK_BEFORE_CHANGING = "select private.lock_session()";

/**
 * Runs `act` in one transaction; runs it once more after an error that does not repeat. `needsSession`: only while the session
 * of the claims is alive. `proof` is what the auth service has checked for this call (private.require_proof): it ends with the
 * transaction.
 */
export async function runAsPerson<Result>(
  sql: Sql,
  person: {
    claims: PersonClaims;
    isReadOnly: boolean;
    needsSession?: boolean;
    proof?: string | undefined;
  },
  act: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const { claims, isReadOnly, needsSession = false, proof = "" } = person;
  const context = [
    claims ? "authenticated" : "anon",
    claims?.sub ?? "",
    claims ? JSON.stringify(claims) : "",
    isReadOnly ? "on" : "off",
    proof,
  ];
  let isBegun = false;
  const run = () =>
    inTransaction(sql, async (db) => {
      isBegun = true;
      const begun = [db.unsafe(SET_CONTEXT, context, { prepare: true }).execute()];
      if (needsSession) {
        const check = isReadOnly ? CHECK_BEFORE_READING : CHECK_BEFORE_CHANGING;
        begun.push(db.unsafe(check, [], { prepare: true }).execute());
      }
      return act(async ({ text, values, isPrepared }) => {
        const asked = db.unsafe<PersonRow[]>(text, values, { prepare: isPrepared }).execute();
        const [rows] = await Promise.all([asked, ...begun]);
        return rows;
      });
    });
  try {
    return await run();
  } catch (error) {
    if (isOutdatedStatement(error) || isDeadlock(error) || (!isBegun && isPastShutdown(error))) return run();
    throw error;
  }
}

/** A prepared statement whose result columns have changed: https://www.postgresql.org/docs/current/sql-prepare.html */
function isOutdatedStatement(error: unknown): boolean {
  return error instanceof Error && "routine" in error && error.routine === "RevalidateCachedQuery";
}

/** The driver reports a closed connection to the next request on it, although it has already reconnected by then. */
function isPastShutdown(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57P01";
}
