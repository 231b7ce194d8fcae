import type { Session } from "@supabase/supabase-js";
import { readStored, storedKeys } from "../lib/browser/storage.ts";
import { isSessionKey } from "./session-key.ts";

/** Whoever asks with it later than this may be refused. */
const LEFT_MS = 60_000;

/**
 * The session as supabase-js keeps it and would give it out, known without loading supabase-js. Nothing where it is kept in
 * parts, about to end, or not what it should be: supabase-js then says what holds.
 */
export function storedSession(nowMs: number): Session | undefined {
  const [key, another] = storedKeys().filter(isSessionKey);
  if (key === undefined || another !== undefined) return undefined;
  const session = parsed(readStored(key));
  return isSession(session) && session.expires_at * 1000 > nowMs + LEFT_MS ? session : undefined;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

function isSession(value: unknown): value is Session & { expires_at: number } {
  if (typeof value !== "object" || value === null) return false;
  const { access_token, refresh_token, expires_at, user } = value as Record<string, unknown>;
  return (
    typeof access_token === "string" &&
    typeof refresh_token === "string" &&
    typeof expires_at === "number" &&
    typeof user === "object" &&
    user !== null &&
    typeof (user as Record<string, unknown>).id === "string"
  );
}
