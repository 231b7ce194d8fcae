/**
 * A session in the address is accepted only if this browser started the sign-in (decision 0010). Otherwise anyone could
 * send a link with a key to their own account, and the person opening it would save searches and chats there.
 */
import type { Session, User } from "@supabase/supabase-js";
import { basePathOf } from "#core/languages.ts";
import {
  type AuthCallback,
  mustBeWiped,
  parseAuthCallback,
  withoutCallback,
} from "#web/lib/auth/auth-callback.ts";
import { authDataOf, type Supabase } from "#web/lib/backend/supabase.ts";
import { connectForProvider, endProviderTrip, type ProviderTrip } from "./auth-calls.ts";

export interface AuthReturn {
  callback: AuthCallback;
  trip: ProviderTrip | null;
}

export type ReturnOutcome = Omit<AuthReturn, "callback"> &
  (
    | { kind: "signed-in"; user: User }
    | { kind: "failed"; error: unknown }
    | { kind: "refused"; error: string; code: string }
  );

/** The error code that the auth service uses for this case. */
const NOT_BEGUN_HERE = { kind: "refused", error: "invalid_request", code: "bad_oauth_state" } as const;

/**
 * Removes the message from the address at once, without an entry in the history. Messages of reset mails are left to
 * the reset page, wherever they were pasted, and those that prove an address to their page.
 */
export function takeAuthReturn(): { isWiped: boolean; returned: AuthReturn | null } {
  const { pathname, search, hash } = window.location;
  const callback = parseAuthCallback({ search, hash });
  const isForItsPage = ["/reset-password", "/confirm-email"].includes(basePathOf(pathname));
  if (isForItsPage || isRecovery(callback) || !mustBeWiped({ search, hash }))
    return { isWiped: false, returned: null };
  window.history.replaceState(window.history.state, "", withoutCallback({ pathname, search, hash }));
  return { isWiped: true, returned: callback && { callback, trip: endProviderTrip() } };
}

function isRecovery(callback: AuthCallback | null): boolean {
  return (callback?.kind === "session" || callback?.kind === "token") && callback.type === "recovery";
}

/** Turns the session that this browser requested into the page's session. */
export async function finishAuthReturn(
  { callback, trip }: AuthReturn,
  connect: () => Promise<Supabase>,
): Promise<ReturnOutcome> {
  if (callback.kind === "error") return { kind: "refused", error: callback.error, code: callback.code, trip };
  try {
    const session = await takeSession(callback, trip);
    if (!session) return { ...NOT_BEGUN_HERE, trip };
    const { access_token, refresh_token } = session;
    const { auth } = await connect();
    const { user } = authDataOf(await auth.setSession({ access_token, refresh_token }));
    return user ? { kind: "signed-in", user, trip } : { ...NOT_BEGUN_HERE, trip };
  } catch (error) {
    return isForeignCode(error) ? { ...NOT_BEGUN_HERE, trip } : { kind: "failed", error, trip };
  }
}

/** A session or a token in the address is refused; a code works only with the verifier of this tab. */
async function takeSession(
  key: Exclude<AuthCallback, { kind: "error" }>,
  trip: ProviderTrip | null,
): Promise<Session | null> {
  if (key.kind !== "code" || trip === null) return null;
  const { auth } = await connectForProvider();
  return authDataOf(await auth.exchangeCodeForSession(key.code)).session;
}

/** The code belongs to a verifier of another browser. */
function isForeignCode(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : "";
  return error.name === "AuthPKCECodeVerifierMissingError" || code === "bad_code_verifier";
}
