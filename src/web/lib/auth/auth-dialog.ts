import { createContext, useContext } from "react";
import { localizedPath } from "#core/languages.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { useLanguage } from "../i18n/use-texts.ts";
import { useSession } from "./session.ts";

export type AuthMode = "signin" | "signup" | "forgot-password";

export interface AuthDialogControl {
  open(mode: AuthMode): void;
  /** Fetches it for somebody who is about to. */
  preload(): void;
}

export const AuthDialogContext = createContext<AuthDialogControl>({
  open: () => undefined,
  preload: () => undefined,
});

/** Opens the dialog from anywhere; who is asked to sign in need not know how it is done. */
export function useAuthDialog(): AuthDialogControl {
  return useContext(AuthDialogContext);
}

/** A signed-in person goes on to their filter; a guest signs up first. */
export function useCallToAction(): () => void {
  const { user } = useSession();
  const { open } = useAuthDialog();
  const language = useLanguage();
  const navigate = useNavigate();
  return () => {
    if (user) void navigate(localizedPath("/filter-settings", language));
    else open("signup");
  };
}
