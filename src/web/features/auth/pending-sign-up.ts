import { readStored, store } from "#web/lib/browser/storage.ts";

const KEY = "pendingSignUp";
const DAY_MS = 86_400_000;

/** The address that was signed up with here and waits to be confirmed: its mail may be opened in another tab. */
export function rememberSignUp(email: string, now = Date.now()): void {
  store(KEY, JSON.stringify({ email: email.toLowerCase(), until: now + DAY_MS }));
}

export function isSignUpOfThisBrowser(email: string | undefined, now = Date.now()): boolean {
  try {
    const kept: unknown = JSON.parse(readStored(KEY) ?? "null");
    if (typeof kept !== "object" || kept === null || !("email" in kept) || !("until" in kept)) return false;
    return kept.email === email?.toLowerCase() && Number(kept.until) > now;
  } catch {
    return false;
  }
}
