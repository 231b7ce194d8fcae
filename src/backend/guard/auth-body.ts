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
  const text = await request.text();
  if (text.length > MAX_BODY_BYTES) return authError(413, "validation_failed", "Request body is too large");
  const body = parseObject(text);
  if (!body) return authError(400, "bad_json", "Could not parse request body as a JSON object");
  const complaint = complaintAbout(body);
  return complaint ? authError(400, "validation_failed", complaint) : body;
}

function parseObject(text: string): AuthBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function complaintAbout({ email, password, data }: AuthBody): string | undefined {
  if (email !== undefined && !isPlausibleEmail(email))
    return "Unable to validate email address: invalid format";
  if (password !== undefined && typeof password !== "string") return "Password must be a string";
  if (password?.includes("\0")) return "Password cannot contain a null character";
  if (Buffer.byteLength(password ?? "") > MAX_PASSWORD_BYTES)
    return "Password cannot be longer than 72 bytes";
  if (data !== undefined && JSON.stringify(data).length > MAX_METADATA_CHARACTERS)
    return "User data is too large";
  return undefined;
}

function isPlausibleEmail(email: unknown): boolean {
  return (
    typeof email === "string" &&
    email.length <= MAX_EMAIL_CHARACTERS &&
    !/[\p{Cc}\p{Zs}\p{Cf}<>,;"]/u.test(email)
  );
}
