import { basePathOf, type Language, localizedPath } from "#core/languages.ts";
import { PROVIDERS, type ProviderName } from "#web/lib/auth/providers.ts";
import { authDataOf, createSecondClient, loadSupabase, type Supabase } from "#web/lib/backend/supabase.ts";
import { createTabStorage } from "#web/lib/browser/storage.ts";

export interface Credentials {
  email: string;
  password: string;
}

export async function signInWithPassword(credentials: Credentials): Promise<void> {
  const { auth } = await loadSupabase();
  authDataOf(await auth.signInWithPassword(credentials));
}

/** Returns whether the person is signed in now; if not, they must first confirm the address by email. */
export async function signUp(
  { email, password, fullName }: Credentials & { fullName: string },
  language: Language,
): Promise<boolean> {
  const { auth } = await loadSupabase();
  const { session } = authDataOf(
    await auth.signUp({
      email,
      password,
      options: { data: { full_name: fullName, language }, emailRedirectTo: addressOf("/", language) },
    }),
  );
  return session !== null;
}

export async function requestReset(email: string, language: Language): Promise<void> {
  const { auth } = await loadSupabase();
  authDataOf(await auth.resetPasswordForEmail(email, { redirectTo: addressOf("/reset-password", language) }));
}

/**
 * Navigates to Google or Telegram. It returns to the home page with a code that only works with the verifier stored in
 * this tab. `from` is the page the person wanted to open.
 */
export async function openProvider(
  provider: ProviderName,
  language: Language,
  from: string | null,
): Promise<void> {
  // Otherwise the browser's own error page would replace this one.
  if (navigator.onLine === false) throw new TypeError("Network: there is no connection");
  rememberTrip({ provider, from });
  const { auth } = await connectForProvider();
  const options = { redirectTo: addressOf("/", language) };
  authDataOf(await auth.signInWithOAuth({ provider: PROVIDERS[provider].id, options }));
}

/**
 * Navigates to a provider, whose account can sign in to the person's account from then on, once `allow` has allowed this
 * trip. Returns to `path`.
 */
export async function openProviderLink(
  provider: ProviderName,
  language: Language,
  { path, allow }: { path: string; allow: (url: URL) => Promise<void> },
): Promise<void> {
  const { auth } = await loadSupabase();
  const options = { redirectTo: addressOf(path, language), skipBrowserRedirect: true };
  const { url } = authDataOf(await auth.linkIdentity({ provider: PROVIDERS[provider].id, options }));
  const page = new URL(url ?? "");
  await allow(page);
  rememberTrip({ provider, from: path });
  window.location.assign(page);
}

/**
 * A client of its own because PKCE is needed for providers only, and a client has one flow type: a reset link requested
 * by a PKCE client would work in no other browser.
 */
export function connectForProvider(): Promise<Supabase> {
  // Keeps only the code verifier. The resulting session is handed to the page's own client.
  const storage = createTabStorage((key) => key.endsWith("-code-verifier"));
  return createSecondClient({ flowType: "pkce", storageKey: "provider-sign-in", storage });
}

function addressOf(path: string, language: Language): string {
  return new URL(localizedPath(path, language), window.location.origin).href;
}

const TRIP_KEY = "providerTrip";
const tabStorage = createTabStorage();

/** What the person was doing when they left for a provider, stored in the tab because the page unloads. */
export interface ProviderTrip {
  provider: ProviderName;
  from: string | null;
}

function rememberTrip(trip: ProviderTrip): void {
  tabStorage.setItem(TRIP_KEY, JSON.stringify(trip));
}

/** Returns null if no trip is in progress. */
export function endProviderTrip(): ProviderTrip | null {
  const stored = tabStorage.getItem(TRIP_KEY);
  tabStorage.removeItem(TRIP_KEY);
  if (stored === null) return null;
  const { provider, from } = JSON.parse(stored);
  return { provider: provider === "telegram" ? "telegram" : "google", from: from ?? null };
}

/** A new account continues with the filter settings, and keeps the query of that page if it was the destination. */
export function afterSignUp(wanted: string | null): string {
  const isThere = wanted !== null && /^\/filter-settings(?=$|[?#])/.test(basePathOf(wanted));
  return isThere ? wanted : "/filter-settings";
}
