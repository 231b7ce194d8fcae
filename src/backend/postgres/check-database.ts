// Whether a PostgreSQL server of one's own can serve us: found out by asking it, before anything is written.
import postgres, { type Sql } from "postgres";
import { withTimeout } from "#platform/timing.ts";
import { explainConnection } from "./explain-connection.ts";
import { keepsSessions } from "./keeps-sessions.ts";

const CONNECT_WITHIN_SECONDS = 5;
const CHECK_WITHIN_MS = 8_000;
const OLDEST_MAJOR = 15;
/** A little over what one process with every role opens (user-pool.ts); people's are not ours on a hosted Supabase. */
const CONNECTIONS_NEEDED = { own: 60, hosted: 30 };

export type DatabaseChecks = {
  /** Judges what it holds. */
  findSchemaFaults: (sql: Sql) => Promise<string[]>;
  /** A hosted Supabase's: what it brings belongs to it. */
  isHosted: boolean;
};

/** What keeps it from serving us, a sentence each. */
export async function findDatabaseFaults(databaseUrl: string, checks: DatabaseChecks): Promise<string[]> {
  const open = () =>
    postgres(databaseUrl, {
      max: 1,
      // A pooler may hand each statement to another session, which knows nothing of what was prepared.
      prepare: false,
      fetch_types: false,
      connect_timeout: CONNECT_WITHIN_SECONDS,
      onnotice: () => {},
    });
  const [first, second] = [open(), open()];
  try {
    return await withTimeout(CHECK_WITHIN_MS, findFaults(first, second, checks));
  } catch (error) {
    return [explainConnection(error, databaseUrl)];
  } finally {
    for (const sql of [first, second]) void sql.end({ timeout: 0 }).catch(() => {});
  }
}

async function findFaults(first: Sql, second: Sql, { findSchemaFaults, isHosted }: DatabaseChecks) {
  const server = await readServer(first, isHosted);
  if (server.major < OLDEST_MAJOR) {
    return [`The database server is PostgreSQL ${server.major}, and Sereno needs ${OLDEST_MAJOR} or later.`];
  }
  if (!(await keepsSessions(first, second))) {
    return [
      "DATABASE_URL leads to a pooler that gives every transaction another session (no LISTEN, no locks): connect to the server itself, or in the pooler's session mode.",
    ];
  }
  return [...faultsOf(server, isHosted), ...(await findSchemaFaults(first))];
}

type Server = {
  major: number;
  encoding: string;
  isReadOnly: boolean;
  user: string;
  database: string;
  isSuperuser: boolean;
  isOwner: boolean;
  connections: number;
  missingRoles: string | null;
  foreignSchemas: string | null;
};

/** The roles that the script for the administrator makes, and what we or an earlier start of ours have made. */
async function readServer(sql: Sql, isHosted: boolean): Promise<Server> {
  const [server] = await sql<[Server]>`
    with roles (role, is_login) as (values
      ('anon', false), ('authenticated', false), ('service_role', false), ('authenticator', true), ('sereno_auth', true)
    ),
    wanted as (select * from roles where not (is_login and ${isHosted}))
    select
      current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "isReadOnly",
      current_user as user,
      current_database() as database,
      me.rolsuper as "isSuperuser",
      pg_has_role(datdba, 'member') as "isOwner",
      least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        nullif(datconnlimit, -1), nullif(me.rolconnlimit, -1)
      ) as connections,
      (select string_agg(role, ', ') from wanted
       where to_regrole(role) is null or not is_login and not pg_has_role(to_regrole(role), 'member')) as "missingRoles",
      (select string_agg(nspname, ', ') from pg_namespace
       where nspname in ('auth', 'watch', 'private', 'realtime', 'pgboss', 'supabase_migrations')
       and not (${isHosted} and nspname in ('auth', 'realtime')) and not pg_has_role(nspowner, 'member')) as "foreignSchemas"
    from pg_database, pg_roles me
    where datname = current_database() and me.rolname = current_user`;
  return server;
}

function faultsOf(server: Server, isHosted: boolean): string[] {
  const { user, database, connections } = server;
  const needed = CONNECTIONS_NEEDED[isHosted ? "hosted" : "own"];
  const faults: [boolean, string][] = [
    [
      server.isReadOnly,
      "The database is a copy that takes no changes: DATABASE_URL has to lead to the first one.",
    ],
    [
      server.encoding !== "UTF8",
      `The database ${database} is in ${server.encoding}, and Sereno needs one in UTF8: make another.`,
    ],
    [
      connections < needed,
      `The database allows ${user} ${connections} connections, and each process of Sereno needs up to ${needed}: raise the limit (max_connections, or that of the user or the database).`,
    ],
    [
      !server.isOwner,
      `The user ${user} does not own the database ${database}: \`alter database ${database} owner to ${user}\`.`,
    ],
    [
      !server.isSuperuser && server.missingRoles !== null,
      `The database is not prepared (${server.missingRoles}): run supabase/prepare-database.sql in it once, as the server's administrator.`,
    ],
    [
      server.foreignSchemas !== null,
      `Parts of the database belong to another user than ${user} (${server.foreignSchemas}): give them to it, or use the user that made them.`,
    ],
  ];
  return faults.filter(([isWrong]) => isWrong).map(([, sentence]) => sentence);
}
