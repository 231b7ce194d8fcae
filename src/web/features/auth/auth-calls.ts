import { type Language, localizedPath } from "#core/languages.ts";
import { authDataOf, loadSupabase } from "../../lib/supabase.ts";

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
  return session !== null;
}

export async function requestReset(email: string, language: Language): Promise<void> {
  const { auth } = await loadSupabase();
  authDataOf(await auth.resetPasswordForEmail(email, { redirectTo: addressOf("/reset-password", language) }));
}

/** Leaves the page for Google's; the answer comes back in the address of home. */
export async function openGoogle(language: Language): Promise<void> {
  const { auth } = await loadSupabase();
  const redirectTo = addressOf("/", language);
  authDataOf(await auth.signInWithOAuth({ provider: "google", options: { redirectTo } }));
}

function addressOf(path: string, language: Language): string {
  return new URL(localizedPath(path, language), window.location.origin).href;
}
