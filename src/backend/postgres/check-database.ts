// Checks whether an external PostgreSQL server can be used, before anything is written to it.

import { randomUUID } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { MOST_SKEW_MS, measureSkew, skewWords } from "#platform/database/database-clock.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { withTimeout } from "#platform/timing.ts";
import { OLDEST_POSTGRES_MAJOR, POSTGRES_MAJOR } from "./binaries.ts";
import { explainConnection } from "./explain-connection.ts";

const CONNECT_WITHIN_SECONDS = 5;
const CHECK_WITHIN_MS = 8_000;
/**
 * How many connections a process opens at most: its own pool of 10, the job queue's 3, backups and probes; and for each role its
 * listeners and locks. The web role adds people's requests (user-pool.ts), which on hosted Supabase use none.
 */
const CONNECTIONS = { process: 16, web: 36, hostedWeb: 2, watcher: 2, bot: 3, mail: 1 };

export function connectionsNeeded(roles: readonly DatabaseRole[], isHosted: boolean): number {
  const ofRole = (role: DatabaseRole) => CONNECTIONS[role === "web" && isHosted ? "hostedWeb" : role];
  return roles.reduce((sum, role) => sum + ofRole(role), CONNECTIONS.process);
}

export type DatabaseRole = "web" | "watcher" | "bot" | "mail";

/** The sentence for a server whose version we do not support. */
export function versionFault(major: number): string | undefined {
  if (major >= OLDEST_POSTGRES_MAJOR && major <= POSTGRES_MAJOR) return undefined;
  return `The database server is PostgreSQL ${major}, and Sereno needs ${OLDEST_POSTGRES_MAJOR} to ${POSTGRES_MAJOR}; nothing was changed.`;
}

export type DatabaseChecks = {
  findSchemaFaults: (sql: Sql) => Promise<string[]>;
  /** On hosted Supabase, existing objects belong to Supabase. */
  isHosted: boolean;
  roles: readonly DatabaseRole[];
};

/** Why the database cannot be used, one sentence per reason. */
export async function findDatabaseFaults(databaseUrl: string, checks: DatabaseChecks): Promise<string[]> {
  const open = () =>
    postgres(databaseUrl, {
      max: 1,
      // A pooler may run each statement in another session, where nothing was prepared.
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

async function findFaults(first: Sql, second: Sql, checks: DatabaseChecks) {
  const { findSchemaFaults, isHosted } = checks;
  const server = await readServer(first, isHosted);
  const unsupported = versionFault(server.major);
  if (unsupported !== undefined) return [unsupported];
  if (!(await keepsSessions(first, second))) {
    return [
      "DATABASE_URL leads to a pooler in transaction mode (no LISTEN, no session locks): connect to the server itself or use the pooler's session mode.",
    ];
  }
  return [
    ...faultsOf(server, connectionsNeeded(checks.roles, isHosted)),
    ...clockFaults(await measureSkew(first)),
    ...(await findSchemaFaults(first)),
  ];
}

function clockFaults(skewMs: number): string[] {
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return [];
  return [
    `This machine's clock is ${skewWords(skewMs)} the database's: set both from the network (NTP), and start again.`,
  ];
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

/** Reads the roles that prepare-database.sql creates, and objects that we or an earlier start created. */
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

function faultsOf(server: Server, needed: number): string[] {
  const { user, database, connections } = server;
  const faults: [boolean, string][] = [
    [server.isReadOnly, "The database is a read-only replica: DATABASE_URL must lead to the primary."],
    [
      server.encoding !== "UTF8",
      `The database ${database} is encoded in ${server.encoding}, but Sereno needs UTF8: create another one.`,
    ],
    [
      connections < needed,
      `The database allows ${user} ${connections} connections, and a process with these roles needs up to ${needed}: raise the limit (max_connections, or that of the user or the database).`,
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
      `Schemas of the database belong to another user than ${user} (${server.foreignSchemas}): change their owner, or connect as the user that created them.`,
    ],
  ];
  return faults.filter(([isWrong]) => isWrong).map(([, sentence]) => sentence);
}

/**
 * Whether a connection keeps one server session. A pooler in transaction mode assigns sessions per transaction: a
 * client can find another's session settings, or lose its own. Both are checked, because poolers differ in which
 * session they assign next.
 */
async function keepsSessions(first: Sql, second: Sql): Promise<boolean> {
  const mark = randomUUID();
  // Connect first: a session that starts later could not be mixed up.
  await sessionOf(second);
  await first`select set_config('sereno.session', ${mark}, false)`;
  const sessions = new Set<number>();
  for (let look = 0; look < 3; look += 1) sessions.add(await sessionOf(first));
  // While the second is in a transaction, its session cannot be assigned to the first.
  const [isMixedUp, isStillOurs] = await inTransaction(second, async (transaction) => {
    const found = await markOf(transaction);
    sessions.add(await sessionOf(first));
    return [found === mark, (await markOf(first)) === mark];
  });
  return sessions.size === 1 && !isMixedUp && isStillOurs;
}

type Queryable = Pick<Sql, "unsafe">;

async function sessionOf(sql: Queryable): Promise<number> {
  const [row] = await sql.unsafe<{ pid: number }[]>("select pg_backend_pid() as pid");
  return row?.pid ?? 0;
}

async function markOf(sql: Queryable): Promise<string | null | undefined> {
  const [row] = await sql.unsafe<{ mark: string | null }[]>(
    "select current_setting('sereno.session', true) as mark",
  );
  return row?.mark;
}
