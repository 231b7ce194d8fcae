import { basePathOf, type Language, localizedPath } from "#core/languages.ts";
import { rememberedLocation } from "#web/lib/auth/session.ts";
import { authDataOf, connectApart, loadSupabase, type Supabase } from "#web/lib/backend/supabase.ts";
import { createTabStorage, readStored, store } from "#web/lib/browser/storage.ts";

export interface Credentials {
  email: string;
  password: string;
}

export async function signInWithPassword(credentials: Credentials): Promise<void> {
  const { auth } = await loadSupabase();
  authDataOf(await auth.signInWithPassword(credentials));
}

/** Answers whether the person is signed in now; if not, a mail asks them to confirm their address first. */
export async function signUp(
  { email, password, fullName }: Credentials & { fullName: string },
  language: Language,
  from: string | null,
): Promise<boolean> {
  const { auth } = await loadSupabase();
  const { session } = authDataOf(
    await auth.signUp({
      email,
      password,
      options: { data: { full_name: fullName, language }, emailRedirectTo: addressOf("/", language) },
    }),
  );
  if (session === null) rememberSignUp(email, from);
  return session !== null;
}

export async function requestReset(email: string, language: Language): Promise<void> {
  const { auth } = await loadSupabase();
  authDataOf(await auth.resetPasswordForEmail(email, { redirectTo: addressOf("/reset-password", language) }));
}

/**
 * Leaves the page for Google's; the answer comes back to home as a code, of use only with the verifier kept here.
 * `from` is where the person had wanted to go.
 */
export async function openGoogle(language: Language, from: string | null): Promise<void> {
  const trip: GoogleTrip = { from };
  tabStorage.setItem(TRIP_KEY, JSON.stringify(trip));
  const { auth } = await connectForGoogle();
  const redirectTo = addressOf("/", language);
  authDataOf(await auth.signInWithOAuth({ provider: "google", options: { redirectTo } }));
}

/**
 * Google's way alone is PKCE, and a client has one way for all: a reset link asked for by such a client would open in
 * no other browser.
 */
export function connectForGoogle(): Promise<Supabase> {
  // The verifier waits for the person's return; the session that follows becomes the page's, and is not kept here.
  const storage = createTabStorage((key) => key.endsWith("-code-verifier"));
  return connectApart({ flowType: "pkce", storageKey: "google-sign-in", storage });
}

function addressOf(path: string, language: Language): string {
  return new URL(localizedPath(path, language), window.location.origin).href;
}

const TRIP_KEY = "googleTrip";
const tabStorage = createTabStorage();

/** What a person was doing when they left for Google. The tab remembers it; the page does not survive the trip. */
export interface GoogleTrip {
  /** Where they had wanted to go. */
  from: string | null;
}

/** Null when no trip is under way. */
export function endGoogleTrip(): GoogleTrip | null {
  const stored = tabStorage.getItem(TRIP_KEY);
  tabStorage.removeItem(TRIP_KEY);
  return stored === null ? null : { from: JSON.parse(stored).from ?? null };
}

const SIGN_UP_KEY = "pendingSignUp";
const DAY_MS = 86_400_000;

/** The address that was signed up with here and waits to be confirmed: its mail may be opened in another tab. */
function rememberSignUp(email: string, from: string | null, now = Date.now()): void {
  store(SIGN_UP_KEY, JSON.stringify({ email: email.toLowerCase(), until: now + DAY_MS, from }));
}

/** Where the person who signed up here had wanted to go. */
export function destinationOfSignUp(): string {
  try {
    return afterSignUp(rememberedLocation(JSON.parse(readStored(SIGN_UP_KEY) ?? "null")));
  } catch {
    return afterSignUp(null);
  }
}

/** A new account goes to its filter, wherever the person was going; what they were bringing there comes along. */
export function afterSignUp(wanted: string | null): string {
  const isThere = wanted !== null && /^\/filter-settings(?=$|[?#])/.test(basePathOf(wanted));
  return isThere ? wanted : "/filter-settings";
}

export function isSignUpOfThisBrowser(email: string | undefined, now = Date.now()): boolean {
  try {
    const kept: unknown = JSON.parse(readStored(SIGN_UP_KEY) ?? "null");
    if (typeof kept !== "object" || kept === null || !("email" in kept) || !("until" in kept)) return false;
    return kept.email === email?.toLowerCase() && Number(kept.until) > now;
  } catch {
    return false;
  }
}
