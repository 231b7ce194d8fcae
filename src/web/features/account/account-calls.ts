import { isLanguage, type Language, localizedPath } from "#core/languages.ts";
import { authDataOf, dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import type { AccountEvent, SignedInBrowser } from "#web/lib/backend/typed-database.ts";

export interface Profile {
  fullName: string | null;
  email: string | null;
  /** The language of alerts; null until one is chosen. */
  language: Language | null;
}

export async function fetchProfile(userId: string): Promise<Profile> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase.from("profiles").select("full_name, email, language").eq("id", userId).single(),
  );
  const language = row.language ?? "";
  return {
    fullName: row.full_name || null,
    email: row.email || null,
    language: isLanguage(language) ? language : null,
  };
}

/** The name belongs to the auth account; a database trigger copies it to the profile. */
export async function changeName(fullName: string): Promise<void> {
  const { auth } = await loadSupabase();
  authDataOf(await auth.updateUser({ data: { full_name: fullName } }));
}

/** Mails a link to the address, which is added when the link is opened. */
export async function addEmail(email: string, language: Language): Promise<void> {
  const { auth } = await loadSupabase();
  const emailRedirectTo = new URL(localizedPath("/", language), window.location.origin).href;
  authDataOf(await auth.updateUser({ email }, { emailRedirectTo }));
}

export async function changeAlertLanguage(userId: string, language: Language): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.from("profiles").update({ language }).eq("id", userId).select("id").single());
}

export async function signOutOthers(): Promise<void> {
  const { auth } = await loadSupabase();
  const { error } = await auth.signOut({ scope: "others" });
  if (error) throw error;
}

export async function fetchMyData(): Promise<unknown> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("export_my_data"));
}

export async function fetchSessions(): Promise<SignedInBrowser[]> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_sessions"));
}

export async function fetchAccountEvents(): Promise<AccountEvent[]> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_security_events"));
}

export async function endSession(id: string): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("end_my_session", { session_id: id }));
}

export async function hasPassword(): Promise<boolean> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("has_password"));
}

export async function changePassword(password: string, currentPassword: string | undefined): Promise<void> {
  const { auth } = await loadSupabase();
  const current = currentPassword === undefined ? {} : { current_password: currentPassword };
  authDataOf(await auth.updateUser({ password, ...current }));
}

/** Deletes the account on the server; `forgetAccount` clears this browser. */
export async function deleteAccount(person: { email: string; password: string | undefined }): Promise<void> {
  const supabase = await loadSupabase();
  const { email, password } = person;
  const remove = () =>
    supabase.rpc("delete_my_account", password === undefined ? {} : { current_password: password });
  let answer = await remove();
  // Hosted Supabase ignores the password here and requires a fresh sign-in.
  if (password !== undefined && answer.error?.details === "current_password_required") {
    authDataOf(await supabase.auth.signInWithPassword({ email, password }));
    answer = await remove();
  }
  dataOf(answer);
}

export async function forgetAccount(): Promise<void> {
  const { auth } = await loadSupabase();
  await auth.signOut({ scope: "local" });
}
