import { queryOptions } from "@tanstack/react-query";
import { isLanguage, type Language, localizedPath } from "#core/languages.ts";
import { PROVIDERS } from "#web/lib/auth/providers.ts";
import { canBeSeen } from "#web/lib/auth/session.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { authDataOf, dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import type { AccountEvent, SignedInBrowser } from "#web/lib/backend/typed-database.ts";

export interface Profile {
  fullName: string | null;
  email: string | null;
  /** The language of alerts; null until one is chosen. */
  language: Language | null;
  /** Whether waiting alerts are mailed while Telegram is away. */
  hasAwayMails: boolean;
}

export function profileQuery(userId: string) {
  return queryOptions({ queryKey: queryKeys.profile(userId), queryFn: () => fetchProfile(userId) });
}

async function fetchProfile(userId: string): Promise<Profile> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase
      .from("profiles")
      .select("full_name, email, language, mails_when_away")
      .eq("id", userId)
      .single(),
  );
  const language = row.language ?? "";
  return {
    fullName: canBeSeen(row.full_name ?? "") ? row.full_name : null,
    email: row.email || null,
    language: isLanguage(language) ? language : null,
    hasAwayMails: row.mails_when_away,
  };
}

/** Mails a link to the address, which is added when the link is opened. */
export async function addEmail(email: string, language: Language): Promise<void> {
  const { auth } = await loadSupabase();
  const emailRedirectTo = new URL(localizedPath("/", language), window.location.origin).href;
  authDataOf(await auth.updateUser({ email }, { emailRedirectTo }));
}

/** Mails the link of the sign-up again. */
export async function mailProofLink(email: string, language: Language): Promise<void> {
  const { auth } = await loadSupabase();
  const emailRedirectTo = new URL(localizedPath("/", language), window.location.origin).href;
  authDataOf(await auth.resend({ type: "signup", email, options: { emailRedirectTo } }));
}

export function emailProofQuery(userId: string) {
  return queryOptions({
    queryKey: queryKeys.emailProof(userId),
    queryFn: fetchIsEmailProved,
    retry: false,
  });
}

async function fetchIsEmailProved(): Promise<boolean> {
  const { auth } = await loadSupabase();
  return authDataOf(await auth.getUser()).user.email_confirmed_at !== undefined;
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

export function sessionsQuery(userId: string) {
  return queryOptions({ queryKey: queryKeys.sessions(userId), queryFn: fetchSessions });
}

async function fetchSessions(): Promise<SignedInBrowser[]> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_sessions"));
}

/** Every change of the sessions is also a security event, so both are reloaded together. */
export function accountEventsQuery(userId: string) {
  return queryOptions({ queryKey: queryKeys.accountEvents(userId), queryFn: fetchAccountEvents });
}

async function fetchAccountEvents(): Promise<AccountEvent[]> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_security_events"));
}

export async function endSession(id: string): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("end_my_session", { session_id: id }));
}

export function passwordQuery(userId: string) {
  return queryOptions({ queryKey: queryKeys.hasPassword(userId), queryFn: hasPassword });
}

async function hasPassword(): Promise<boolean> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("has_password"));
}

export async function changePassword(password: string, currentPassword: string | undefined): Promise<void> {
  const { auth } = await loadSupabase();
  const current = currentPassword === undefined ? {} : { current_password: currentPassword };
  authDataOf(await auth.updateUser({ password, ...current }));
}

/** An owner who proves the account by its password, if it has one. */
export interface ProvenOwner {
  email: string;
  password: string | undefined;
}

/** Deletes the account on the server; `forgetAccount` clears this browser. */
export function deleteAccount(owner: ProvenOwner): Promise<void> {
  return callWithProof(owner, async (proof) => (await loadSupabase()).rpc("delete_my_account", proof));
}

/** Of a function without a result. */
type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof loadSupabase>>["rpc"]>>;

async function callWithProof(
  { email, password }: ProvenOwner,
  call: (proof: { current_password?: string }) => Promise<Answer>,
): Promise<void> {
  const proof = password === undefined ? {} : { current_password: password };
  let answer = await call(proof);
  // Hosted Supabase ignores the password here and requires a fresh sign-in.
  if (password !== undefined && answer.error?.details === "current_password_required") {
    const { auth } = await loadSupabase();
    authDataOf(await auth.signInWithPassword({ email, password }));
    answer = await call(proof);
  }
  dataOf(answer);
}

/** Lets the trip to Telegram that this browser has begun link a Telegram user, for ten minutes. */
export function allowTelegramLink(owner: ProvenOwner, url: URL): Promise<void> {
  const state = url.searchParams.get("state") ?? "";
  return callWithProof(owner, async (proof) =>
    (await loadSupabase()).rpc("allow_telegram_link", { state, ...proof }),
  );
}

/** Ends the sessions of everybody who could sign in with Telegram, and their private chat unless it is kept. */
export function unlinkTelegram({
  isChatKept,
  ...owner
}: ProvenOwner & { isChatKept: boolean }): Promise<void> {
  return callWithProof(owner, async (proof) =>
    (await loadSupabase()).rpc("unlink_telegram", { keep_chat: isChatKept, ...proof }),
  );
}

export interface TelegramUser {
  name: string | null;
  /** Whether the account has a sign-in with Google too. */
  isBesideGoogle: boolean;
}

export function telegramUserQuery(userId: string) {
  return queryOptions({ queryKey: queryKeys.telegramUser(userId), queryFn: fetchTelegramUser });
}

/** The Telegram user who can sign in to this account; null if nobody can. */
async function fetchTelegramUser(): Promise<TelegramUser | null> {
  const { auth } = await loadSupabase();
  const { identities } = authDataOf(await auth.getUserIdentities());
  const telegram = identities.find(({ provider }) => provider === PROVIDERS.telegram.id);
  if (telegram === undefined) return null;
  const name: unknown = telegram.identity_data?.full_name;
  const isBesideGoogle = identities.some(({ provider }) => provider === PROVIDERS.google.id);
  return { name: typeof name === "string" && canBeSeen(name) ? name : null, isBesideGoogle };
}

export async function forgetAccount(): Promise<void> {
  const { auth } = await loadSupabase();
  await auth.signOut({ scope: "local" });
}
