import { type RestError, restError } from "./rest-error.ts";

/** What lite answered, and the error that made it answer so, if one did. */
export type LiteAnswer = { answer: Response; error: unknown };

const SQLSTATE = /^[0-9A-Z]{5}$/;

// By the class of PostgreSQL's error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
const UNFIT = { status: 400, message: "A value does not fit where it is to go" };
const UNCLEAR = { status: 400, message: "This cannot be asked in this way" };
const REFUSED = { status: 400, message: "This change is not allowed" };
const BUSY = {
  status: 503,
  message: "The database cannot answer right now",
  headers: { "retry-after": "1" },
};
const BY_CLASS: Record<string, Omit<RestError, "code">> = {
  "0A": UNCLEAR,
  "20": UNFIT,
  "21": UNCLEAR,
  "22": UNFIT,
  "23": { ...REFUSED, status: 409 },
  "25": UNCLEAR,
  "2B": REFUSED,
  "2F": UNCLEAR,
  "38": UNCLEAR,
  "39": UNCLEAR,
  "3F": UNCLEAR,
  "42": UNCLEAR,
  "44": REFUSED,
  "54": { status: 400, message: "This question is too large" },
  P0: REFUSED,
  "08": BUSY,
  "40": BUSY,
  "53": BUSY,
  "55": BUSY,
  "57": BUSY,
};
const BY_CODE: Record<string, Omit<RestError, "code">> = {
  "57014": { ...BUSY, message: "This took too long and was stopped" },
};

/**
 * Gives PostgREST's shape and our words where lite calls a bad question, or a database that is away, a server error.
 * Throws what is left: that is a fault of ours, and the log must tell it.
 */
export async function mendRestAnswer({ answer, error }: LiteAnswer): Promise<Response> {
  if (answer.status < 500) return answer;
  await answer.body?.cancel();
  if (!(error instanceof Error)) throw new Error(`The data API answered ${answer.status}`, { cause: error });
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  // No code: lite stumbled over the question before PostgreSQL saw it.
  if (code === undefined) return restError({ ...UNCLEAR, code: "PGRST100" });
  if (!SQLSTATE.test(code))
    return restError(code.startsWith("MAX_") ? { ...TOO_MANY, code: "54000" } : { ...BUSY, code: "08006" });
  if (code === "23514") return brokenCheck(error);
  const said = BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)];
  if (!said) throw new Error("The data API failed", { cause: error });
  return restError({ ...said, code });
}

const TOO_MANY = { status: 400, message: "This question has too many values" };

/** The web app finds the reason by the constraint's name. */
function brokenCheck(error: Error): Response {
  const details = "constraint_name" in error ? String(error.constraint_name) : null;
  return restError({ status: 400, code: "23514", message: error.message, details });
}
