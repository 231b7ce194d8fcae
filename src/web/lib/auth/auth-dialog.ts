import { createContext, useContext } from "react";

export type AuthMode = "signin" | "signup" | "forgot-password";

export interface AuthDialogControl {
  open(mode: AuthMode): void;
}

export const AuthDialogContext = createContext<AuthDialogControl>({ open: () => undefined });

/** Opens the dialog from anywhere; who is asked to sign in need not know how it is done. */
export function useAuthDialog(): AuthDialogControl {
  return useContext(AuthDialogContext);
}
