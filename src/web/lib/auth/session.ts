import type { Session, User } from "@supabase/supabase-js";
import { createContext, useContext } from "react";
import { sitePath } from "#core/site-path.ts";
import type { ProviderName } from "./providers.ts";

/** Who is signed in. `isUnknown` is true until the stored session was read or the first auth event arrived. */
export interface SessionState {
  user: User | null;
  session: Session | null;
  isUnknown: boolean;
  signOut(): Promise<void>;
  /** Navigates to a provider to confirm the owner of the account; returns to `path`. */
  confirmWith(provider: ProviderName, path: string): Promise<void>;
  /** Navigates to a provider to let its account sign in to this one, if `allow` allows it; returns to `path`. */
  linkWith(provider: ProviderName, trip: { path: string; allow: (url: URL) => Promise<void> }): Promise<void>;
}

export const SessionContext = createContext<SessionState>({
  user: null,
  session: null,
  isUnknown: true,
  signOut: async () => undefined,
  confirmWith: async () => undefined,
  linkWith: async () => undefined,
});

export function useSession(): SessionState {
  return useContext(SessionContext);
}

/** Telegram allows names of characters that take no place. Without `#text/one-line.ts`, which no page needs at first. */
export function canBeSeen(name: string): boolean {
  return /[^\s\p{Cf}\u2800\u3164\u115f\u1160]/u.test(name);
}

/** The full name, or the part of the email address before the @. */
export function displayNameOf(user: Pick<User, "email" | "user_metadata">): string {
  const fullName: unknown = user.user_metadata?.full_name;
  if (typeof fullName === "string" && canBeSeen(fullName)) return fullName.trim();
  return user.email?.split("@")[0] || "Telegram";
}

let isEndExpected = false;

/** When the person ends the session themselves (sign-out, deleted account), no message says that it has ended. */
export function expectSessionEnd(isExpected: boolean): void {
  isEndExpected = isExpected;
}

export const isSessionEndExpected = () => isEndExpected;

const ONE_MOMENT_MS = 2000;

/**
 * Whether the sign-in with a provider that has just ended created the account: its identity is the only one, is as old as
 * the account and has had no later sign-in. How long the trip to the provider took does not matter.
 */
export function isNewAccount(
  { created_at, identities }: Pick<User, "created_at" | "identities">,
  providerId: string,
): boolean {
  const [identity, ...others] = identities ?? [];
  if (identity?.provider !== providerId || !identity.created_at || others.length > 0) return false;
  const isAtOnce = (from: string, until: string) => Date.parse(until) - Date.parse(from) < ONE_MOMENT_MS;
  return (
    isAtOnce(created_at, identity.created_at) &&
    isAtOnce(identity.created_at, identity.last_sign_in_at ?? identity.created_at)
  );
}

/** History state of the home page for a guest who was redirected from a protected page. */
export interface RememberedState {
  from: string;
}

export function rememberedLocation(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("from" in state)) return null;
  const { from } = state;
  return typeof from === "string" && sitePath(from) === from ? from : null;
}
