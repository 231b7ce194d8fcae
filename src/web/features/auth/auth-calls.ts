import { type Language, localizedPath } from "#core/languages.ts";
import { authDataOf, connectApart, loadSupabase, type Supabase } from "#web/lib/backend/supabase.ts";
import { createTabStorage } from "#web/lib/browser/storage.ts";
import { rememberSignUp } from "./pending-sign-up.ts";

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
): Promise<boolean> {
  const { auth } = await loadSupabase();
  const { session } = authDataOf(
    await auth.signUp({
      email,
      password,
      options: { data: { full_name: fullName, language }, emailRedirectTo: addressOf("/", language) },
    }),
  );
  if (session === null) rememberSignUp(email);
  return session !== null;
}

export async function requestReset(email: string, language: Language): Promise<void> {
  const { auth } = await loadSupabase();
  authDataOf(await auth.resetPasswordForEmail(email, { redirectTo: addressOf("/reset-password", language) }));
}

/** Leaves the page for Google's; the answer comes back to home as a code, of use only with the verifier kept here. */
export async function openGoogle(language: Language): Promise<void> {
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
