// The roles that serve people's requests log in with. Neither is a superuser, owns anything or bypasses row-level security.
import { hkdfSync } from "node:crypto";
import type { Sql } from "postgres";

/** Data API and realtime: a member of `anon` and `authenticated`, without a right of its own. */
export const PEOPLE_LOGIN = "authenticator";
/** The auth service: the rights that `AUTH_GRANTS` lists. */
export const AUTH_LOGIN = "sereno_auth";

export type DatabaseUrls = {
  /** Of our own processes and the migrations: owns the schema. */
  owner: string;
  people: string;
  auth: string;
};

/**
 * The embedded database's own: each login's password is derived from the owner's, so that one secret has to be kept, and no
 * login can compute another's password.
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

/** Creates the logins of an embedded cluster, or gives them their passwords again after a restore or an upgrade. */
export async function ensureLogins(sql: Sql, owner: string): Promise<void> {
  for (const role of [PEOPLE_LOGIN, AUTH_LOGIN]) {
    const [known] = await sql`select from pg_roles where rolname = ${role}`;
    // Neither a role nor a password can be a parameter here; both are letters, digits, `-` and `_`.
    await sql.unsafe(
      `${known ? "alter" : "create"} role ${role} login noinherit password '${passwordOf(role, owner)}'`,
    );
  }
}

function passwordOf(role: string, owner: string): string {
  const secret = decodeURIComponent(new URL(owner).password);
  return Buffer.from(hkdfSync("sha256", secret, "", `login ${role}`, 32)).toString("base64url");
}
