import type { Session, User } from "@supabase/supabase-js";
import { createContext, useContext } from "react";

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

/** Whoever ends the session themselves, with the account, is not told that it has ended. */
export function expectSessionEnd(isExpected: boolean): void {
  isEndExpected = isExpected;
}

export const isSessionEndExpected = () => isEndExpected;

const NEW_ACCOUNT_MS = 10_000;

/** Whether this is the account's first sign-in, which follows its making at once. */
export function isNewAccount({
  created_at,
  last_sign_in_at,
}: Pick<User, "created_at" | "last_sign_in_at">): boolean {
  return Date.parse(last_sign_in_at ?? created_at) - Date.parse(created_at) < NEW_ACCOUNT_MS;
}

/** History state of the home page for a guest who was sent there from a protected page. */
export interface RememberedState {
  from: string;
}

export function rememberedLocation(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("from" in state)) return null;
  const { from } = state;
  return typeof from === "string" && /^\/(?!\/)/.test(from) ? from : null;
}
