import { createHmac } from "node:crypto";
import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { authError } from "../auth-error.ts";

export type SignUpLimit = {
  /** Reserves a reservation for a new account; returns undefined if the address has reached its daily limit. */
  reserve: (address: string) => Promise<Reservation | undefined>;
};

/** Released if the account is not created. */
type Reservation = { release: () => Promise<void> };

const DAY_MS = 24 * 60 * 60 * 1000;
const DELETE_BATCH = 1_000;

export const SIGN_UPS_SPENT = "over_sign_up_rate_limit";

/** In the format of GoTrue's limits. The limit ends within a day. */
export const signUpsSpent = () =>
  authError(429, SIGN_UPS_SPENT, "Too many accounts were created from this network today", {
    "retry-after": "3600",
  });

/** Accounts per network address in any 24 hours, counted for all processes; 0 means unlimited. */
export function createSignUpLimit(options: {
  sql: Sql;
  perDay: number;
  /** Keys the hash of an address. */
  secret: string;
  now: () => number;
}): SignUpLimit {
  const { sql, perDay, now } = options;
  if (perDay === 0) return { reserve: async () => ({ release: async () => {} }) };
  const keyOf = (address: string) =>
    createHmac("sha256", options.secret).update(`sign-up ${address}`).digest("base64url");

  const reserve = async (address: string) => {
    const key = keyOf(address);
    const at = new Date(now()).toISOString();
    const dayAgo = new Date(now() - DAY_MS).toISOString();
    const [row] = await inTransaction(sql, async (transaction) => {
      // Serialises the sign-ups of one address over all processes: otherwise two could both count the last reservation as
      // free.
      await transaction`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
      await transaction`
        delete from private.sign_ups where id in (
          select id from private.sign_ups where at <= ${dayAgo} limit ${DELETE_BATCH} for update skip locked)`;
      return transaction<{ id: string }[]>`
        insert into private.sign_ups (address, at)
        select ${key}, ${at}
        where (select count(*) from private.sign_ups where address = ${key} and at > ${dayAgo}) < ${perDay}
        returning id`;
    });
    if (!row) return undefined;
    return {
      release: async () => {
        await sql`delete from private.sign_ups where id = ${row.id}`;
      },
    };
  };
  return { reserve };
}

/** Creates an account within the limit; returns undefined if the limit is reached. */
export async function withinSignUpLimit<Result>(
  { reserve }: SignUpLimit,
  address: string,
  { make, isMade }: { make: () => Promise<Result>; isMade: (result: Result) => boolean },
): Promise<Result | undefined> {
  const reservation = await reserve(address);
  if (!reservation) return undefined;
  let isDone = false;
  try {
    const result = await make();
    isDone = isMade(result);
    return result;
  } finally {
    if (!isDone) await reservation.release();
  }
}
