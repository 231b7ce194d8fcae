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
import { authDataOf, createSecondClient, type Supabase } from "#web/lib/backend/supabase.ts";
import {
  connectForProvider,
  endProviderTrip,
  isSignUpOfThisBrowser,
  type ProviderTrip,
} from "./auth-calls.ts";

export interface AuthReturn {
  callback: AuthCallback;
  trip: ProviderTrip | null;
}

export type ReturnOutcome = Omit<AuthReturn, "callback"> &
  (
    | { kind: "signed-in"; user: User; isSignUp: boolean }
    /** Confirmed, but signed up in another browser: the person signs in there. */
    | { kind: "confirmed" }
    | { kind: "failed"; error: unknown }
    | { kind: "refused"; error: string; code: string }
  );

type Taken = { session: Session; isSignUp: boolean };

/** The error code that the auth service uses for this case. */
const NOT_BEGUN_HERE = { kind: "refused", error: "invalid_request", code: "bad_oauth_state" } as const;

/**
 * Removes the message from the address at once, without an entry in the history. Messages of reset mails are left to
 * the reset page, wherever they were pasted, and those for an added address to their page.
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
    const taken = await takeSession(callback, trip);
    if (taken === "refused") return { ...NOT_BEGUN_HERE, trip };
    if (taken === "confirmed") return { kind: "confirmed", trip };
    const { access_token, refresh_token } = taken.session;
    const { auth } = await connect();
    const { user } = authDataOf(await auth.setSession({ access_token, refresh_token }));
    return user ? { kind: "signed-in", user, isSignUp: taken.isSignUp, trip } : { ...NOT_BEGUN_HERE, trip };
  } catch (error) {
    return isForeignCode(error) ? { ...NOT_BEGUN_HERE, trip } : { kind: "failed", error, trip };
  }
}

type Key = Exclude<AuthCallback, { kind: "error" }>;

async function takeSession(key: Key, trip: ProviderTrip | null): Promise<Taken | "confirmed" | "refused"> {
  switch (key.kind) {
    case "session":
      return "refused";
    case "code": {
      if (trip === null) return "refused";
      const { auth } = await connectForProvider();
      return { session: authDataOf(await auth.exchangeCodeForSession(key.code)).session, isSignUp: false };
    }
    case "token":
      return key.type === "signup" || key.type === "email" ? confirm(key.tokenHash, key.type) : "refused";
  }
}

/**
 * The link of a confirmation mail confirms the address in any browser, and signs in only the browser that signed up.
 */
async function confirm(
  token_hash: string,
  type: "signup" | "email",
): Promise<Taken | "confirmed" | "refused"> {
  const { auth } = await createSecondClient({ storageKey: "confirmation" });
  const { session } = authDataOf(await auth.verifyOtp({ token_hash, type }));
  if (session && isSignUpOfThisBrowser(session.user.email)) return { session, isSignUp: true };
  // This browser did not request the session, so it is ended.
  if (session) authDataOf({ data: null, ...(await auth.signOut({ scope: "local" })) });
  return "confirmed";
}

/** The code belongs to a verifier of another browser. */
function isForeignCode(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : "";
  return error.name === "AuthPKCECodeVerifierMissingError" || code === "bad_code_verifier";
}
