// The login roles for people's requests. Neither is a superuser, owns anything or bypasses row-level security.
import { hkdfSync } from "node:crypto";
import type { Sql } from "postgres";

/** For data API and realtime: a member of `anon` and `authenticated`, with no rights of its own. */
export const PEOPLE_LOGIN = "authenticator";
/** For the auth service, with the rights in `AUTH_GRANTS`. */
export const AUTH_LOGIN = "sereno_auth";

export type DatabaseUrls = {
  /** Owns the schema; for migrations and our own processes. */
  owner: string;
  people: string;
  auth: string;
};

/**
 * The URLs of the embedded database. Each login's password is derived from the owner's: only one secret is stored, and
 * no login can compute another's password.
 */
export function embeddedUrls(owner: string): DatabaseUrls {
  const urlOf = (role: string) => {
    const url = new URL(owner);
    url.username = role;
    url.password = passwordOf(role, owner);
    return url.href;
  };
  return { owner, people: urlOf(PEOPLE_LOGIN), auth: urlOf(AUTH_LOGIN) };
}

/** Creates the logins of an embedded cluster, or sets their passwords again after a restore or an upgrade. */
export async function ensureLogins(sql: Sql, owner: string): Promise<void> {
  for (const role of [PEOPLE_LOGIN, AUTH_LOGIN]) {
    const [known] = await sql`select from pg_roles where rolname = ${role}`;
    // PostgreSQL takes no parameters here. Both values consist of letters, digits, `-` and `_`.
    await sql.unsafe(
      `${known ? "alter" : "create"} role ${role} login noinherit password '${passwordOf(role, owner)}'`,
    );
  }
}

function passwordOf(role: string, owner: string): string {
  const secret = decodeURIComponent(new URL(owner).password);
  return Buffer.from(hkdfSync("sha256", secret, "", `login ${role}`, 32)).toString("base64url");
}
