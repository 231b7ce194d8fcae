// Rate limits that survive a restart and are shared by all processes: stored in the database by keyed hashes.
import { createHmac } from "node:crypto";
import type { Sql } from "postgres";
import type { RateLimit } from "#platform/limits/rate-limit.ts";

export type StoredLimiter = {
  /** Takes one from the key's allowance; returns false if none is left. */
  take: (key: string, now: number) => Promise<boolean>;
  /** Returns one that should not count. */
  giveBack: (key: string) => Promise<void>;
};

export type KnownAddresses = {
  has: (userId: string, address: string) => Promise<boolean>;
  add: (userId: string, address: string, now: number) => Promise<void>;
};

export type LimitStore = { sql: Sql; secret: string };

const hashOf = ({ secret }: LimitStore, name: string, key: string) =>
  createHmac("sha256", secret).update(`${name} ${key}`).digest();

/** The token bucket of rate-limit.ts, in a table. Each `take` deletes a few full buckets. */
export function createStoredLimiter(
  store: LimitStore,
  { name, ...limit }: RateLimit & { name: string },
): StoredLimiter {
  const { sql } = store;
  const { burst } = limit;
  const tokenMs = limit.windowMs / limit.perWindow;
  return {
    take: async (key, now) => {
      const hash = hashOf(store, name, key);
      const at = new Date(now);
      const refilled = sql`least(${burst}, kept.tokens
        + greatest(0, extract(epoch from excluded.refilled_at - kept.refilled_at) * 1000 / ${tokenMs}))`;
      const rows = await sql`
        with cleared as (
          delete from private.guard_allowances where key in (
            select key from private.guard_allowances where full_at < ${at} and key <> ${hash}
            order by full_at limit 8 for update skip locked
          )
        )
        insert into private.guard_allowances as kept (key, tokens, refilled_at, full_at)
        values (${hash}, ${burst - 1}, ${at}, ${new Date(now + tokenMs)})
        on conflict (key) do update set
          tokens = ${refilled} - 1,
          refilled_at = greatest(kept.refilled_at, excluded.refilled_at),
          full_at = excluded.refilled_at + (${burst} - ${refilled} + 1) * ${tokenMs} * interval '1 millisecond'
        where ${refilled} >= 1
        returning key`;
      return rows.length > 0;
    },
    giveBack: async (key) => {
      await sql`
        update private.guard_allowances set tokens = least(${burst}, tokens + 1)
        where key = ${hashOf(store, name, key)}`;
    },
  };
}

const MAX_ADDRESSES_OF_ONE = 20;

export function createKnownAddresses(store: LimitStore): KnownAddresses {
  const { sql } = store;
  const hashFor = (address: string) => hashOf(store, "address", address);
  return {
    has: async (userId, address) => {
      const rows = await sql`
        select from private.known_addresses where user_id = ${userId} and address_hash = ${hashFor(address)}`;
      return rows.length > 0;
    },
    add: async (userId, address, now) => {
      const hash = hashFor(address);
      // The lock waits for a deletion of the account at the same time, after which nothing is inserted.
      await sql`
        with forgotten as (
          delete from private.known_addresses where user_id = ${userId} and address_hash in (
            select address_hash from private.known_addresses
            where user_id = ${userId} and address_hash <> ${hash}
            order by last_used_at desc offset ${MAX_ADDRESSES_OF_ONE - 1}
          )
        )
        insert into private.known_addresses (user_id, address_hash, last_used_at)
        select id, ${hash}, ${new Date(now)} from auth.users where id = ${userId} for key share
        on conflict (user_id, address_hash) do update set last_used_at = excluded.last_used_at`;
    },
  };
}
