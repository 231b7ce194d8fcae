import type { Session, User } from "@supabase/supabase-js";
import { createContext, useContext } from "react";
import { sitePath } from "#core/site-path.ts";

/** Who is signed in. `isLoading` is true until the first look at the stored session or the first auth event. */
export interface SessionState {
  user: User | null;
  session: Session | null;
  isLoading: boolean;
  signOut(): Promise<void>;
  /** Leaves for Google to show that the account's owner is here; comes back to `path`. */
  confirmWithGoogle(path: string): Promise<void>;
}

export const SessionContext = createContext<SessionState>({
  user: null,
  session: null,
  isLoading: true,
  signOut: async () => undefined,
  confirmWithGoogle: async () => undefined,
});

export function useSession(): SessionState {
  return useContext(SessionContext);
}

/** The full name, else the part of the e-mail before the @. */
export function displayNameOf(user: Pick<User, "email" | "user_metadata">): string {
  const fullName: unknown = user.user_metadata?.full_name;
  if (typeof fullName === "string" && fullName.trim() !== "") return fullName.trim();
  return user.email?.split("@")[0] ?? "";
}

let isEndExpected = false;

/** Whoever ends the session themselves, by signing out or with the account, is not told that it has ended. */
export function expectSessionEnd(isExpected: boolean): void {
  isEndExpected = isExpected;
}

export const isSessionEndExpected = () => isEndExpected;

const ONE_MOMENT_MS = 2000;

/**
 * Whether the sign-in with Google that has just ended made the account: its identity is as old as the account and has not
 * been signed in with since. How long the page took to come back from there says nothing.
 */
export function isNewAccount({ created_at, identities }: Pick<User, "created_at" | "identities">): boolean {
  const google = identities?.find(({ provider }) => provider === "google");
  if (!google?.created_at) return false;
  const isAtOnce = (from: string, until: string) => Date.parse(until) - Date.parse(from) < ONE_MOMENT_MS;
  return (
    isAtOnce(created_at, google.created_at) &&
    isAtOnce(google.created_at, google.last_sign_in_at ?? google.created_at)
  );
}

/** History state of the home page for a guest who was sent there from a protected page. */
export interface RememberedState {
  from: string;
}

export function rememberedLocation(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("from" in state)) return null;
  const { from } = state;
  return typeof from === "string" && sitePath(from) === from ? from : null;
}
