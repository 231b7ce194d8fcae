import postgres, { type Sql } from "postgres";
import { withTimeout } from "../timing.ts";
import { type Connection, type DriverQuery, lostConnection, openConnection } from "./connection.ts";
import { runTransaction } from "./run-transaction.ts";
import { sqlVia } from "./sql-via.ts";

export interface PoolOptions {
  readonly max: number;
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Closes connections that are not used for so long; without it they stay open. */
  readonly idleSeconds?: number;
  readonly connectSeconds?: number;
}

/** Somebody who waits for a connection. */
type Waiter = { give: (connection: Connection) => void; refuse: (error: Error) => void };

/**
 * A pool of connections for a process that runs for weeks, with the driver's interface. A statement or transaction whose
 * connection is lost is rejected, and the next one gets another connection. Array parameters are passed as JSON:
 * the driver would ask for the array types on every new connection, and a database that stops at that moment leaves a
 * rejection that cannot be caught.
 */
export function openPool(url: string, options: PoolOptions): Sql {
  const slots = createSlots(url, options);
  // Writes queries, and never connects.
  const writer = postgres(url, { max: options.max, fetch_types: false });
  const dispatch = (query: DriverQuery) =>
    slots.take({
      give: (connection) => {
        const release = () => slots.release(connection);
        connection.run(query);
        query.then(release, release);
      },
      refuse: (error) => query.reject(error),
    });
  const take = () => new Promise<Connection>((give, refuse) => slots.take({ give, refuse }));
  return sqlVia(writer, dispatch, {
    begin: async (...args: [Run] | [string, Run]) => {
      const [mode, run] = args.length === 1 ? ["", args[0]] : args;
      const connection = await take();
      try {
        return await runTransaction({ writer, connection, mode, run });
      } finally {
        slots.release(connection);
      }
    },
    end: (how: { timeout?: number } = {}) => slots.end(how.timeout),
  });
}

type Run = Parameters<typeof runTransaction>[0]["run"];

function createSlots(url: string, options: PoolOptions) {
  const { max, settings = {}, idleSeconds, connectSeconds = 10 } = options;
  const all = new Set<Connection>();
  const idle = new Map<Connection, NodeJS.Timeout | undefined>();
  const waiting: Waiter[] = [];
  const drained = Promise.withResolvers<void>();
  let opening = 0;
  let isEnding = false;

  const openMore = () => {
    while (waiting.length > opening && all.size < max) {
      opening += 1;
      const connection = openConnection({ url, settings, connectSeconds, onClosed: forget });
      all.add(connection);
      connection.ready.then(
        () => {
          opening -= 1;
          release(connection);
        },
        (error: Error) => {
          opening -= 1;
          waiting.shift()?.refuse(error);
          void connection.close();
          openMore();
        },
      );
    }
    if (isEnding && waiting.length === 0 && all.size === idle.size) drained.resolve();
  };
  const forget = (connection: Connection) => {
    all.delete(connection);
    clearTimeout(idle.get(connection));
    idle.delete(connection);
    openMore();
  };
  const release = (connection: Connection) => {
    if (connection.isClosed()) return;
    if (performance.now() > connection.replaceAtMs) return void connection.close();
    const next = waiting.shift();
    if (next) return next.give(connection);
    const close = () => void connection.close();
    idle.set(connection, idleSeconds === undefined ? undefined : setTimeout(close, idleSeconds * 1_000));
    openMore();
  };
  return {
    take: (waiter: Waiter) => {
      if (isEnding) return waiter.refuse(lostConnection("CONNECTION_ENDED"));
      // The one that was used last: the others reach their idle time.
      const free = [...idle.keys()].at(-1);
      if (free === undefined) {
        waiting.push(waiter);
        return openMore();
      }
      clearTimeout(idle.get(free));
      idle.delete(free);
      waiter.give(free);
    },
    release,
    /** Waits for running and waiting statements, at most this long. */
    end: async (withinSeconds: number | undefined): Promise<void> => {
      // A query is sent a moment after it was written.
      await undefined;
      isEnding = true;
      openMore();
      const done = drained.promise;
      await (withinSeconds === undefined ? done : withTimeout(withinSeconds * 1_000, done).catch(() => {}));
      for (const waiter of waiting.splice(0)) waiter.refuse(lostConnection("CONNECTION_DESTROYED"));
      await Promise.all([...all].map((connection) => connection.close()));
    },
  };
}

/**
 * Opens every connection of a pool. A login costs both sides some ten milliseconds of computing; opened on demand, the
 * connections would all be paid for by the first requests of a busy moment.
 */
export async function useAllConnections(sql: Sql): Promise<void> {
  await Promise.all(Array.from({ length: sql.options.max }, () => sql`select 1`));
}
