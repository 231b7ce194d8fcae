import { authError } from "./auth-error.ts";

const MAX_BODY_BYTES = 64 * 1024;
const MAX_METADATA_CHARACTERS = 4_096;
// bcrypt reads 72 bytes and no more: two passwords equal up to there would both open the account.
const MAX_PASSWORD_BYTES = 72;
const MAX_EMAIL_CHARACTERS = 254;

export type AuthBody = Record<string, unknown>;

/** The body of an auth request, or the answer that refuses it. */
export async function readAuthBody(request: Request): Promise<AuthBody | Response> {
  // A page of another site can send a form or plain text without asking first, but not JSON.
  if (!request.headers.get("content-type")?.startsWith("application/json")) {
    return authError(415, "validation_failed", "Content-Type must be application/json");
  }
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_BODY_BYTES)
    return authError(413, "validation_failed", "Request body is too large");
  const body = parseObject(bytes);
  if (!body) return authError(400, "bad_json", "Could not parse request body as a JSON object");
  const complaint = complaintAbout(body);
  return complaint ? authError(400, "validation_failed", complaint) : body;
}

function parseObject(bytes: ArrayBuffer): AuthBody | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const TEXTS = [
  "password",
  "current_password",
  "refresh_token",
  "auth_code",
  "code_verifier",
  "token",
  "token_hash",
  "type",
];

function complaintAbout(body: AuthBody): string | undefined {
  const { email, password, data } = body;
  if (email !== undefined && !isPlausibleEmail(email))
    return "Unable to validate email address: invalid format";
  for (const name of TEXTS) {
    if (body[name] !== undefined && typeof body[name] !== "string") return `${name} must be a string`;
  }
  if (String(password ?? "").includes("\0")) return "Password cannot contain a null character";
  if (Buffer.byteLength(String(password ?? "")) > MAX_PASSWORD_BYTES)
    return "Password cannot be longer than 72 bytes";
  return (data === undefined ? undefined : complaintAboutData(data)) ?? complaintAboutCharacters(body);
}

// PostgreSQL can keep neither a null character nor half of a character made of two.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function complaintAboutData(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return "User data must be an object";
  const text = JSON.stringify(data);
  if (text.length > MAX_METADATA_CHARACTERS) return "User data is too large";
  return UNSTORABLE.test(text) ? "User data holds a character that cannot be stored" : undefined;
}

function complaintAboutCharacters(body: AuthBody): string | undefined {
  return UNSTORABLE.test(JSON.stringify(body))
    ? "The body holds a character that cannot be stored"
    : undefined;
}

function isPlausibleEmail(email: unknown): boolean {
  return (
    typeof email === "string" &&
    email.length <= MAX_EMAIL_CHARACTERS &&
    !/[\p{Cc}\p{Zs}\p{Cf}\p{Cs}<>,;"]/u.test(email)
  );
}

export function emailOf(body: AuthBody): string | undefined {
  return typeof body.email === "string" ? body.email.toLowerCase() : undefined;
}
