import { randomBytes } from "node:crypto";
import { generateApiKey } from "@supabase/lite";
import type { Sql } from "postgres";

/** A key of another process: one that was replaced and is honoured still, or one that this process does not use yet. */
export type OtherKey = {
  name: "jwt_secret" | "publishable_key";
  value: string;
  /** By the database's clock, which all processes share; null for one that has no end yet. */
  secondsLeft: number | null;
};

/** What all processes on one database must agree on. */
export type ServerKeys = { jwtSecret: string; publishableKey: string };

/**
 * The keys in use: those of the database, made on the first start of any process. `former` are those of an installation from
 * when each machine kept its own: the first to come brings its own in, so that nobody is signed out.
 */
export async function loadServerKeys(
  sql: Sql,
  former: { [Name in keyof ServerKeys]?: string | undefined } = {},
): Promise<ServerKeys> {
  const made = {
    jwt_secret: former.jwtSecret ?? randomBytes(48).toString("base64url"),
    publishable_key: former.publishableKey ?? (await generateApiKey("publishable")).key,
  };
  await sql`
    insert into private.server_keys (name, value)
    select key, value from jsonb_each_text(${sql.json(made)})
    on conflict do nothing`;
  const rows = await sql<{ name: string; value: string }[]>`
    select name, value from private.server_keys where honoured_until is null`;
  const { jwt_secret: jwtSecret, publishable_key: publishableKey } = Object.fromEntries(
    rows.map(({ name, value }) => [name, value]),
  );
  if (!jwtSecret || !publishableKey) throw new Error("The database keeps no keys");
  return { jwtSecret, publishableKey };
}

/** New keys for every process that starts from now on; those of until now are honoured for a day. */
export async function rotateServerKeys(sql: Sql): Promise<void> {
  const made = {
    jwt_secret: randomBytes(48).toString("base64url"),
    publishable_key: (await generateApiKey("publishable")).key,
  };
  await sql.begin(async (db) => {
    await db`delete from private.server_keys where honoured_until < now()`;
    await db`
      update private.server_keys set honoured_until = now() + interval '1 day' where honoured_until is null`;
    await db`
      insert into private.server_keys (name, value)
      select key, value from jsonb_each_text(${db.json(made)})`;
  });
}

/** All that are honoured now. */
export async function readHonouredKeys(sql: Sql): Promise<OtherKey[]> {
  return sql<OtherKey[]>`
    select name, value, extract(epoch from honoured_until - now())::float8 as "secondsLeft"
    from private.server_keys where honoured_until is null or honoured_until > now()`;
}
