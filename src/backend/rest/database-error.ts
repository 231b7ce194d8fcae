// Maps errors of PostgreSQL and the driver to responses. No message repeats anything the caller sent.
import { restRefusal } from "../auth/auth-error.ts";
import { isQueryTimeout, queryTimeoutAnswer } from "../user-pool.ts";
import { permissionDenied, RequestRefused, type RestError, restError } from "./rest-error.ts";

type DatabaseError = Error & {
  code: string;
  severity?: string;
  routine?: string;
  detail?: string;
  constraint_name?: string;
};

const SQLSTATE = /^[0-9A-Z]{5}$/;
const CONNECTION_FAILED = /^(?:CONNECT(?:ION)?_|E(?:CONN|PIPE|TIMEDOUT|NOTFOUND|HOST|NET|AI_))/;

type Words = Omit<RestError, "code">;

const UNFIT: Words = { status: 400, message: "A value has the wrong type, format or size" };
const UNCLEAR: Words = { status: 400, message: "This request is not valid" };
const REFUSED: Words = { status: 400, message: "This change is not allowed" };
const BUSY: Words = {
  status: 503,
  message: "The database is temporarily unavailable",
  headers: { "retry-after": "1" },
};

// By error code if it has its own message, otherwise by class:
// https://www.postgresql.org/docs/current/errcodes-appendix.html
const WORDS = new Map<string, Words>([
  [
    "23503",
    {
      status: 409,
      message: "A foreign key is violated: the referenced row does not exist, or this row is referenced",
    },
  ],
  ["23505", { status: 409, message: "A row with this key already exists" }],
  [
    "25006",
    {
      status: 405,
      message: "This function may change data and must be called by POST",
      headers: { allow: "POST" },
    },
  ],
  ["42703", { status: 400, message: "There is no column of this name" }],
  ["42883", { status: 400, message: "This operator does not fit the type of the column" }],
  ["42P01", { status: 404, message: "There is no table of this name" }],
  ["42P10", { status: 400, message: "`on_conflict` must name the columns of a unique key" }],
  ...["20", "22"].map((code) => [code, UNFIT] as const),
  ...["09", "23", "27", "2B", "44", "55", "P0"].map((code) => [code, REFUSED] as const),
  ...["0A", "21", "25", "2F", "38", "39", "3F", "42"].map((code) => [code, UNCLEAR] as const),
  ...["08", "40", "53", "55P03", "57"].map((code) => [code, BUSY] as const),
  ["54", { status: 400, message: "This request is too complex" }],
]);

/** The response to a request that failed with this error; undefined for a bug of ours. */
export function answerToError(error: unknown, { isGuest }: { isGuest: boolean }): Response | undefined {
  if (error instanceof RequestRefused) return restError(error.refusal);
  if (isQueryTimeout(error)) return queryTimeoutAnswer();
  if (isBusy(error)) return busyAnswer();
  if (isEndedSession(error)) return restRefusal("session_ended");
  const refusal = isDatabaseError(error) ? refusalOf(error, isGuest) : undefined;
  return refusal && restError({ ...refusal, code: (error as DatabaseError).code });
}

function refusalOf(error: DatabaseError, isGuest: boolean): Words | undefined {
  const { code, message, detail: details = null } = error;
  // Our own functions raise these with messages for people. PostgreSQL itself also raises 22023, with the caller's
  // values.
  const [, status] = /^PT([34]\d\d)$/.exec(code) ?? [];
  const isRaised = error.routine === "exec_stmt_raise";
  if (isRaised && status !== undefined) return { status: Number(status), message, details };
  if (isRaised && code === "22023") return { status: 400, message, details };
  // The web app identifies the reason by the constraint's name.
  if (code === "23514") return { status: 400, message, details: error.constraint_name ?? null };
  if (code === "42501") return permissionDenied(isGuest).refusal;
  return wordsOf(code);
}

const wordsOf = (code: string) =>
  SQLSTATE.test(code) ? (WORDS.get(code) ?? WORDS.get(code.slice(0, 2))) : undefined;

/** Whether the database is temporarily unavailable, so that a retry may succeed. */
export function isBusy(error: unknown): boolean {
  if (!isDatabaseError(error)) return false;
  // Fatal errors end or refuse the connection: the database is starting, stopping or full.
  return error.severity === "FATAL" || CONNECTION_FAILED.test(error.code) || wordsOf(error.code) === BUSY;
}

/** Raised by private.require_session. */
const isEndedSession = (error: unknown) => isDatabaseError(error) && error.code === "PT401";

export const busyAnswer = () => restError({ ...BUSY, code: "08006" });

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
