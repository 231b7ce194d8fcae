import { randomBytes } from "node:crypto";
import { generateApiKey } from "@supabase/lite";
import type { Sql } from "postgres";

export type FormerKeys = { jwtSecrets: readonly string[]; publishableKeys: readonly string[] };

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
    await db`
      update private.server_keys set honoured_until = now() + interval '1 day' where honoured_until is null`;
    await db`
      insert into private.server_keys (name, value)
      select key, value from jsonb_each_text(${db.json(made)})`;
  });
}

/** Those that were replaced and are honoured still; the others are forgotten. */
export async function readFormerKeys(sql: Sql): Promise<FormerKeys> {
  await sql`delete from private.server_keys where honoured_until < now()`;
  const rows = await sql<{ name: string; value: string }[]>`
    select name, value from private.server_keys where honoured_until is not null`;
  const valuesOf = (wanted: string) => rows.filter(({ name }) => name === wanted).map(({ value }) => value);
  return { jwtSecrets: valuesOf("jwt_secret"), publishableKeys: valuesOf("publishable_key") };
}
