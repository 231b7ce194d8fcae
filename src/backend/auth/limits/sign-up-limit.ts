import { createHmac } from "node:crypto";
import type { Sql } from "postgres";
import { authError } from "../auth-error.ts";

export type SignUpLimit = {
  /** Takes a place for an account about to be made; undefined when the address has used up its day. */
  reserve: (address: string) => Promise<Place | undefined>;
};

/** Given back when the account was not made after all. */
type Place = { release: () => Promise<void> };

const DAY_MS = 24 * 60 * 60 * 1000;
const FORGOTTEN_AT_ONCE = 1_000;

export const SIGN_UPS_SPENT = "over_sign_up_rate_limit";

/** In the shape of GoTrue's own limits. Whoever is refused did nothing wrong themselves, and waits a day at most. */
const signUpsSpent = () =>
  authError(429, SIGN_UPS_SPENT, "Too many accounts were created from this network today", {
    "retry-after": "3600",
  });

/** How many accounts one address may make in any 24 hours, counted in the database for every process; 0 for any number. */
export function createSignUpLimit(options: {
  sql: Sql;
  perDay: number;
  /** Keys the hash that stands for an address. */
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
    const [row] = await sql.begin(async (transaction) => {
      // One address at a time, over all processes: two that count at once would both find the last place free.
      await transaction`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
      await transaction`
        delete from private.sign_ups where id in (
          select id from private.sign_ups where at <= ${dayAgo} limit ${FORGOTTEN_AT_ONCE} for update skip locked)`;
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

/** Makes an account within the limit, or answers that the limit is reached. */
export async function withinSignUpLimit(
  { reserve }: SignUpLimit,
  address: string,
  make: () => Promise<Response>,
): Promise<Response> {
  const place = await reserve(address);
  if (!place) return signUpsSpent();
  let isMade = false;
  try {
    const answer = await make();
    isMade = answer.ok;
    return answer;
  } finally {
    if (!isMade) await place.release();
  }
}
