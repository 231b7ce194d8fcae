/**
 * The session of a reset link. Only the reset page uses it: on every other page the person stays signed in as before.
 * The tab keeps it, so that a reload (phones reload background tabs) does not cost another mail.
 */

import { authDataOf, createSecondClient, loadSupabase, type Supabase } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { createTabStorage } from "#web/lib/browser/storage.ts";
import { TAB_STORAGE_KEYS } from "#web/lib/site/constants.ts";

const KEY = TAB_STORAGE_KEYS.recovery;
const storage = createTabStorage();
let connecting: Promise<Supabase> | undefined;

export function loadRecovery(): Promise<Supabase> {
  connecting ??= createSecondClient({ storageKey: KEY, storage }).catch((error: unknown) => {
    connecting = undefined;
    throw error;
  });
  return connecting;
}

export function holdsRecovery(): boolean {
  return storage.getItem(KEY) !== null;
}

/** Ends it on the server too; a session that has already ended is fine. */
export async function endRecovery(): Promise<void> {
  const held = storage.getItem(KEY);
  if (held === null) return;
  // Remove it here first: a person who leaves quickly must not find it open when they return.
  storage.removeItem(KEY);
  try {
    const { access_token: token } = JSON.parse(held) as { access_token: string };
    const { auth } = await loadRecovery();
    const { error } = await auth.admin.signOut(token, "local");
    if (error) throw error;
  } catch (error) {
    logProblem("The recovery session could not be ended", error);
  }
}

/**
 * A new password ends all other sessions. If the same account is signed in here, the page continues with this session;
 * for any other account it ends.
 */
export async function finishRecovery(accountId: string): Promise<void> {
  const [here, recovery] = await Promise.all([loadSupabase(), loadRecovery()]);
  const { session: own } = (await here.auth.getSession()).data;
  const { session } = (await recovery.auth.getSession()).data;
  if (own?.user.id !== accountId || !session) return endRecovery();
  const { access_token, refresh_token } = session;
  authDataOf(await here.auth.setSession({ access_token, refresh_token }));
  storage.removeItem(KEY);
}
