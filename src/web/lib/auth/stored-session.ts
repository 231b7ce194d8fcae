import type { Session } from "@supabase/supabase-js";
import { readStored, storedKeys } from "../browser/storage.ts";
import { APP_SESSION_KEY, appStorage } from "../mini-app/app-storage.ts";
import { isInApp } from "../mini-app/is-in-app.ts";
import { isSessionKey } from "./session-key.ts";

/** A token with less time left may expire before the request arrives. */
const LEFT_MS = 60_000;

/**
 * The stored session of supabase-js, without loading supabase-js. Returns undefined if it is stored in parts, about to
 * expire or malformed: supabase-js decides then. Inside Telegram it is the one that Telegram's data opened.
 */
export function storedSession(nowMs: number): Session | undefined {
  const session = parsed(
    isInApp(window.location.pathname) ? appStorage.getItem(APP_SESSION_KEY) : storedText(),
  );
  return isSession(session) && session.expires_at * 1000 > nowMs + LEFT_MS ? session : undefined;
}

function storedText(): string | null {
  const [key, another] = storedKeys().filter(isSessionKey);
  return key === undefined || another !== undefined ? null : readStored(key);
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
