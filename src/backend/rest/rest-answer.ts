import { cutOffAnswer, isCutOff } from "../people-connections.ts";
import { type RestError, restError } from "./rest-error.ts";

/** What lite answered, and the error that made it answer so, if one did. */
export type LiteAnswer = { answer: Response; error: unknown };

const SQLSTATE = /^[0-9A-Z]{5}$/;
// The driver's words, and Node's.
const CONNECTION_FAILED = /^(?:CONNECT(?:ION)?_|E(?:CONN|PIPE|TIMEDOUT|NOTFOUND|HOST|NET|AI_))/;

// By the class of PostgreSQL's error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
const UNFIT = { status: 400, message: "A value does not fit where it is to go" };
const UNCLEAR = { status: 400, message: "This cannot be asked in this way" };
const REFUSED = { status: 400, message: "This change is not allowed" };
const BUSY = {
  status: 503,
  message: "The database cannot answer right now",
  headers: { "retry-after": "1" },
};
const TOO_LARGE = { status: 400, message: "This question is too large" };
const BY_CLASS: Record<string, Omit<RestError, "code">> = {
  "0A": UNCLEAR,
  "20": UNFIT,
  "21": UNCLEAR,
  "22": UNFIT,
  "23": REFUSED,
  "25": UNCLEAR,
  "2B": REFUSED,
  "2F": UNCLEAR,
  "38": UNCLEAR,
  "39": UNCLEAR,
  "3F": UNCLEAR,
  "42": UNCLEAR,
  "44": REFUSED,
  "54": TOO_LARGE,
  P0: REFUSED,
  "08": BUSY,
  "40": BUSY,
  "53": BUSY,
  "55": BUSY,
  "57": BUSY,
};

// Here lite's words are PostgREST's own, about nothing but names that stand in the question, and callers know them.
const WELL_SAID = new Set(["42501", "42703", "42P01", "23505", "23503", "25006"]);

/**
 * Gives PostgREST's shape and our words where the database's are about its own inside, or where lite calls a bad
 * question, or a database that is away, a server error. Throws what is left: that is a fault of ours, and the log must
 * tell it.
 */
export async function mendRestAnswer({ answer, error }: LiteAnswer): Promise<Response> {
  const code = codeOf(error);
  if (answer.status < 500 && (!said(code) || WELL_SAID.has(code))) return answer;
  await answer.body?.cancel();
  if (!(error instanceof Error)) throw new Error(`The data API answered ${answer.status}`, { cause: error });
  if (isCutOff(error)) return cutOffAnswer();
  if (code === "23514") return brokenCheck(error);
  if (CONNECTION_FAILED.test(code)) return busyAnswer();
  // Not PostgreSQL's word: lite or the driver stumbled over the question before it was asked.
  const words = said(code) ?? (SQLSTATE.test(code) ? undefined : { ...UNCLEAR, code: "PGRST100" });
  if (!words) throw new Error("The data API failed", { cause: error });
  return restError(words);
}

/** Whether the database is away or cannot answer for the moment: asked again later, it will. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return CONNECTION_FAILED.test(code) || said(code)?.status === BUSY.status;
}

export const busyAnswer = () => restError({ ...BUSY, code: "08006" });

/** PostgreSQL's, the driver's or Node's. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function said(code: string): RestError | undefined {
  const words = SQLSTATE.test(code) ? BY_CLASS[code.slice(0, 2)] : undefined;
  return words && { ...words, code };
}

/** The web app finds the reason by the constraint's name. */
function brokenCheck(error: Error): Response {
  const details = "constraint_name" in error ? String(error.constraint_name) : null;
  return restError({ status: 400, code: "23514", message: error.message, details });
}
