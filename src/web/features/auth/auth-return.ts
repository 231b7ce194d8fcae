import type { User } from "@supabase/supabase-js";
import { basePathOf } from "#core/languages.ts";
import { type AuthCallback, parseAuthCallback, withoutCallback } from "../../lib/auth-callback.ts";
import { authDataOf, type Supabase } from "../../lib/supabase.ts";
import { endGoogleTrip, type GoogleTrip } from "./google-trip.ts";

/** A person sent back here by the auth service: from Google, or by a link in a mail. */
export interface AuthReturn {
  callback: AuthCallback;
  trip: GoogleTrip | null;
}

/** How it ended. */
export type ReturnOutcome = Omit<AuthReturn, "callback"> &
  (
    | { kind: "signed-in"; user: User; type: string | null }
    | { kind: "failed"; error: unknown }
    | RefusedReturn
  );

interface RefusedReturn {
  kind: "refused";
  error: string;
  code: string;
}

/**
 * Takes the message out of the address, at once and without a trace in the history. What a reset mail says is for the
 * reset page to read, wherever it was pasted.
 */
export function takeAuthReturn(): AuthReturn | null {
  const { pathname, search, hash } = window.location;
  if (basePathOf(pathname) === "/reset-password") return null;
  const callback = parseAuthCallback({ search, hash });
  if (callback === null || (callback.kind === "token" && !isEmailOtpType(callback.type))) return null;
  if (callback.kind === "session" && callback.type === "recovery") return null;
  window.history.replaceState(window.history.state, "", withoutCallback({ pathname, search, hash }));
  return { callback, trip: endGoogleTrip() };
}

/** Makes the session that came in the address this browser's own. */
export async function finishAuthReturn(
  { callback, trip }: AuthReturn,
  connect: () => Promise<Supabase>,
): Promise<ReturnOutcome | null> {
  if (callback.kind === "error") return { kind: "refused", error: callback.error, code: callback.code, trip };
  try {
    const user = await exchange(callback, await connect());
    return user ? { kind: "signed-in", user, type: callback.type, trip } : null;
  } catch (error) {
    return { kind: "failed", error, trip };
  }
}

type Key = Exclude<AuthCallback, { kind: "error" }>;

async function exchange(callback: Key, { auth }: Supabase): Promise<User | null> {
  if (callback.kind === "session") {
    const { accessToken: access_token, refreshToken: refresh_token } = callback;
    return authDataOf(await auth.setSession({ access_token, refresh_token })).user;
  }
  const { tokenHash: token_hash, type } = callback;
  return isEmailOtpType(type) ? authDataOf(await auth.verifyOtp({ token_hash, type })).user : null;
}

/** The kinds of mail that sign a person in; a reset mail leads to a page of its own. */
function isEmailOtpType(type: string | null): type is "signup" | "email" | "magiclink" | "invite" {
  return type === "signup" || type === "email" || type === "magiclink" || type === "invite";
}
