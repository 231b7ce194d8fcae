import { authDataOf, createSecondClient, dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import type { AddressLink } from "#web/lib/backend/typed-database.ts";

/** Null if the link does not work. */
export async function describeLink(token: string): Promise<AddressLink | null> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("describe_address_link", { token_hash: token }));
}

export type Answered = "signup" | "email_change" | "deleted" | "refused";

/** Proves the address. It signs nobody in; an account that is signed in here learns that its address is proved. */
export async function acceptAddress(token: string, { kind }: AddressLink): Promise<Answered> {
  const second = await createSecondClient({ storageKey: "confirm-email" });
  const { user, session } = authDataOf(await second.auth.verifyOtp({ token_hash: token, type: kind }));
  // Hosted Supabase opens a session.
  if (session) await second.auth.signOut({ scope: "local" });
  const { auth } = await loadSupabase();
  const own = (await auth.getSession()).data.session;
  if (own && own.user.id === user?.id) await auth.refreshSession();
  return kind;
}

/** Null if the link does not work any more. */
export async function refuseAddress(token: string, { email }: AddressLink): Promise<Answered | null> {
  const supabase = await loadSupabase();
  const answered = dataOf(await supabase.rpc("refuse_address", { token_hash: token }));
  const own = (await supabase.auth.getSession()).data.session;
  if (answered === "deleted" && own?.user.email === email) await supabase.auth.signOut({ scope: "local" });
  return answered;
}
