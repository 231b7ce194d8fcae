import postgres, { type Sql } from "postgres";
import { withTimeout } from "../timing.ts";

/** What we need of the driver's queries beyond its types. A query is sent by its handler when somebody awaits it. */
export interface DriverQuery extends Promise<unknown> {
  handler: (query: DriverQuery) => void;
  reject(error: Error): void;
}

export interface ConnectionOptions {
  readonly url: string;
  /** Set by a statement after connecting: PgBouncer refuses all but a few names as startup parameters. */
  readonly settings: Readonly<Record<string, string | number>>;
  readonly connectSeconds: number;
  readonly onClosed: (connection: Connection) => void;
}

export interface Connection {
  /** Resolves when statements may be sent. */
  readonly ready: Promise<void>;
  /** Rejects when the connection is closed. */
  readonly closed: Promise<never>;
  /** By the monotonic clock. */
  readonly replaceAtMs: number;
  isClosed(): boolean;
  run(query: DriverQuery): void;
  close(): Promise<void>;
}

/** A connection is replaced after 30 to 60 minutes: the server's caches for it only grow. */
const OLDEST_MS = 30 * 60_000;

/**
 * One connection, which is never opened again after it was closed. The driver would reuse its own: a statement sent to a
 * closed one ends the process with an uncaught exception, and a write that was pending when it closed blocks it for good.
 * https://github.com/porsager/postgres/blob/v3.4.9/src/connection.js (`nextWrite`, `closed`)
 */
export function openConnection(options: ConnectionOptions): Connection {
  const { url, settings, connectSeconds, onClosed } = options;
  const pending = new Set<DriverQuery>();
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  let isClosed = false;
  const onClose = () => {
    if (isClosed) return;
    isClosed = true;
    for (const query of pending) query.reject(lostConnection());
    closed.reject(lostConnection());
    onClosed(connection);
  };
  const sql = postgres(url, {
    ...{ max: 1, fetch_types: false, idle_timeout: 0, max_lifetime: null, connect_timeout: connectSeconds },
    connection: { application_name: "sereno" },
    onnotice: () => {},
    onclose: () => void connection.close(),
  });
  const send = (sql.unsafe("") as unknown as DriverQuery).handler;
  const connection: Connection = {
    // The driver has no limit for a server that accepts connections and closes them again.
    ready: withTimeout(connectSeconds * 1_000 + 500, prepareSession(sql, settings)),
    closed: closed.promise,
    replaceAtMs: performance.now() + OLDEST_MS * (1 + Math.random()),
    isClosed: () => isClosed,
    run: (query) => {
      if (isClosed) return query.reject(lostConnection());
      pending.add(query);
      const settled = () => pending.delete(query);
      query.then(settled, settled);
      send(query);
    },
    close: () => {
      onClose();
      return sql.end({ timeout: 0 }).catch(() => {});
    },
  };
  return connection;
}

/** PostgreSQL overestimates our statements and compiles them: opening a home took seconds instead of 0.1 s (15, with LLVM). */
const SESSION_SETTINGS = { jit: "off" };

async function prepareSession(sql: Sql, settings: ConnectionOptions["settings"]): Promise<void> {
  const statements = Object.entries({ ...SESSION_SETTINGS, ...settings }).map(
    ([name, value]) => `set ${name} = '${value}'`,
  );
  await sql.unsafe(statements.join("; "));
}

export function lostConnection(code = "CONNECTION_CLOSED"): Error {
  return Object.assign(new Error(`The connection to the database is closed (${code})`), { code });
}
