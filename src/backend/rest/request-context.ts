// The transaction in which lite answers one request to the data API, under the rights of who asks. lite's own way there
// is one statement for each setting, each with two round trips; here all settings are one prepared statement, sent
// together with the first question.
import { AsyncLocalStorage } from "node:async_hooks";
import type { createPostgresConnection } from "@supabase/lite/postgres";
import type { ParameterOrJSON, ReservedSql, TransactionSql } from "postgres";
import { inTransaction, isLost } from "#store/connection/in-transaction.ts";

type PostgresConnection = ReturnType<typeof createPostgresConnection>;
type WithContext = PostgresConnection["withContext"];
type FunctionCall = NonNullable<Parameters<WithContext>[2]>["rpc"];
type Identity = { uid?: unknown; role?: string; jwt?: object | null };

/** What lite's statements run on: it reserves a connection for each, and is given the one of its request. */
type RequestConnection = {
  unsafe: (text: string, parameters: ParameterOrJSON<never>[]) => Promise<unknown>;
  release: () => void;
};

const SETTINGS = `select set_config('role', $1, true), set_config('request.jwt.claim.role', $1, true),
  set_config('request.jwt.claim.sub', $2, true), set_config('request.jwt.claims', $3, true),
  set_config('storage.operation', '', true)`;
// What a function may read of its request and say of its answer; by GET it may change nothing.
const FUNCTION_SETTINGS = `${SETTINGS}, set_config('response.status', '', true), set_config('response.headers', '', true),
  set_config('request.method', $4, true), set_config('request.path', $5, true),
  set_config('request.headers', $6, true), set_config('transaction_read_only', $7, true)`;

// Every connection keeps what was prepared on it: whoever makes up ever new questions must not fill its memory.
const MAX_PREPARED = 200;

export function runRequestsInOneFlight(connection: PostgresConnection): void {
  const { driver, kysely } = connection;
  const ofRequest = new AsyncLocalStorage<RequestConnection>();
  const reserve = driver.reserve.bind(driver);
  const withContext = connection.withContext.bind(connection);
  const isPrepared = createPreparedTexts(MAX_PREPARED);

  const answer: WithContext = (vars, act, options = {}) => {
    if (!vars || options.transaction || options.forceRollback) return withContext(vars, act, options);
    const settings = settingsOf(vars.auth ?? {}, options.rpc);
    let isBegun = false;
    const ask = () =>
      inTransaction(driver, (db) => {
        isBegun = true;
        return ofRequest.run(openConnection(db, settings, isPrepared), () => act(kysely));
      });
    return ask().catch((error: unknown) => {
      // Nothing of it has happened, and what went wrong is gone with the driver's having told it.
      if (isOutdatedStatement(error) || (!isBegun && isPastShutdown(error))) return ask();
      throw error;
    });
  };
  Object.assign(driver, { reserve: async () => ofRequest.getStore() ?? keepIfLost(await reserve()) });
  Object.assign(connection, { withContext: answer });
}

/** Takes on the asker's rights with its first statement. If that fails, the transaction answers no other. */
function openConnection(
  db: TransactionSql,
  settings: { text: string; parameters: string[] },
  isPrepared: (text: string) => boolean,
): RequestConnection {
  let opened: Promise<unknown> | undefined;
  let underWay: Promise<unknown> | undefined;
  return {
    unsafe: async (text, parameters) => {
      opened ??= db.unsafe(settings.text, settings.parameters, { prepare: true }).execute();
      underWay ??= opened;
      if (!parameters.every(isPlain)) await underWay;
      const asked = db.unsafe(text, parameters, { prepare: isPrepared(text) }).execute();
      underWay = Promise.allSettled([underWay, asked]);
      const [, result] = await Promise.all([opened, asked]);
      return result;
    },
    release: () => {},
  };
}

/**
 * Any other value may be one that the driver cannot write, a number for an array, say. Sent behind another statement it would
 * then neither be answered nor let anything else be; alone it fails.
 */
const isPlain = (value: unknown) => typeof value === "string" || value === null;

/**
 * A connection that was lost is not handed back: the driver would take it for an open one, and whoever is given it next
 * ends the process with an exception that nobody can catch. Nor is anything more said on it.
 */
function keepIfLost(reserved: ReservedSql): RequestConnection {
  let lost: unknown;
  return {
    unsafe: async (text, parameters) => {
      if (lost) throw lost;
      try {
        return await reserved.unsafe(text, parameters);
      } catch (error) {
        if (isLost(error)) lost = error;
        throw error;
      }
    },
    release: () => {
      if (!lost) reserved.release();
    },
  };
}

function settingsOf({ uid, role, jwt }: Identity, rpc: FunctionCall) {
  const parameters = [role || "anon", String(uid ?? ""), jwt ? JSON.stringify(jwt) : ""];
  if (!rpc) return { text: SETTINGS, parameters };
  const { method, path, requestHeaders = {}, readOnly } = rpc;
  return {
    text: FUNCTION_SETTINGS,
    parameters: [...parameters, method, path, JSON.stringify(requestHeaders), readOnly ? "on" : "off"],
  };
}

/** The first texts to come are those that everyone's pages ask with; none is dropped for a later one. */
function createPreparedTexts(most: number): (text: string) => boolean {
  const texts = new Set<string>();
  return (text) => {
    if (texts.size < most) texts.add(text);
    return texts.has(text);
  };
}

/** A prepared statement whose columns have changed since: https://www.postgresql.org/docs/current/sql-prepare.html */
function isOutdatedStatement(error: unknown): boolean {
  return error instanceof Error && "routine" in error && error.routine === "RevalidateCachedQuery";
}

/** The driver tells a connection's last words to whoever uses it next, when it stands again. */
function isPastShutdown(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57P01";
}
