// Checks that the logins for people's requests and for sign-in have no more rights than they need.
import postgres, { type Sql } from "postgres";
import { withTimeout } from "#platform/timing.ts";
import { explainConnection } from "./explain-connection.ts";

const CONNECT_WITHIN_SECONDS = 5;
const CHECK_WITHIN_MS = 8_000;

export type Login = {
  setting: "PEOPLE_DATABASE_URL" | "AUTH_DATABASE_URL";
  url: string;
  /** The only roles it may be a member of. */
  memberOf: readonly string[];
};

/** What is wrong with a login, one sentence per fault. It must lead to the same database as `ownerUrl`. */
export async function findLoginFaults(login: Login, ownerUrl: string): Promise<string[]> {
  const open = (url: string) =>
    postgres(url, {
      max: 1,
      fetch_types: false,
      connect_timeout: CONNECT_WITHIN_SECONDS,
      onnotice: () => {},
    });
  const [sql, owner] = [open(login.url), open(ownerUrl)];
  try {
    return await withTimeout(CHECK_WITHIN_MS, findFaults(sql, owner, login));
  } catch (error) {
    return [explainConnection(error, login.url, login.setting)];
  } finally {
    for (const one of [sql, owner]) void one.end({ timeout: 0 }).catch(() => {});
  }
}

async function findFaults(sql: Sql, owner: Sql, { setting, memberOf }: Login): Promise<string[]> {
  const [role, [here], [there]] = await Promise.all([readRole(sql), sql.unsafe(PLACE), owner.unsafe(PLACE)]);
  if (here?.place !== there?.place) return [`${setting} leads to another database than DATABASE_URL.`];
  const foreign = role.memberOf.filter((name) => !memberOf.includes(name));
  const missing = memberOf.filter((name) => !role.memberOf.includes(name));
  const excess = [
    ...role.attributes,
    ...(role.owns ? [`owns ${role.owns}`] : []),
    ...(foreign.length > 0 ? [`is a member of ${foreign.join(", ")}`] : []),
  ];
  return [
    ...(excess.length > 0
      ? [
          `${setting} logs in as ${role.name}, which ${excess.join(", ")}: use the login that supabase/prepare-database.sql creates for it.`,
        ]
      : []),
    ...(missing.length > 0
      ? [
          `${setting} logs in as ${role.name}, which is not a member of ${missing.join(", ")}: run supabase/prepare-database.sql.`,
        ]
      : []),
  ];
}

const PLACE = `select pg_postmaster_start_time()::text || ' ' || oid as place from pg_database where datname = current_database()`;

type LoginRole = { name: string; attributes: string[]; owns: string | null; memberOf: string[] };

async function readRole(sql: Sql): Promise<LoginRole> {
  const [row] = await sql<[{ role: LoginRole }]>`
    select jsonb_build_object(
      'name', rolname,
      'attributes', to_jsonb(array_remove(array[
        case when rolsuper then 'is a superuser' end,
        case when rolbypassrls then 'bypasses row-level security' end,
        case when rolcreaterole then 'may create roles' end,
        case when rolcreatedb then 'may create databases' end,
        case when rolreplication then 'may replicate' end,
        case when rolinherit then 'inherits the rights of its roles' end
      ], null)),
      'owns', coalesce(
        (select datname::text from pg_database where datdba = me.oid limit 1),
        (select nspname::text from pg_namespace where nspowner = me.oid limit 1),
        (select oid::regclass::text from pg_class where relowner = me.oid limit 1),
        (select oid::regprocedure::text from pg_proc where proowner = me.oid limit 1)
      ),
      'memberOf', (select coalesce(jsonb_agg(roleid::regrole::text order by roleid::regrole::text), '[]') from pg_auth_members where member = me.oid)
    ) as role
    from pg_roles me where rolname = current_user`;
  return row.role;
}
