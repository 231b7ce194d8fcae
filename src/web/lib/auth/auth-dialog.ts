import { createContext, useContext } from "react";
import { localizedPath } from "#core/languages.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { useLanguage } from "../i18n/use-texts.ts";
import { useSession } from "./session.ts";

export type AuthMode = "signin" | "signup" | "forgot-password";

export interface AuthDialogControl {
  open(mode: AuthMode): void;
  preload(): void;
}

export const AuthDialogContext = createContext<AuthDialogControl>({
  open: () => undefined,
  preload: () => undefined,
});

export function useAuthDialog(): AuthDialogControl {
  return useContext(AuthDialogContext);
}

/** Leads a signed-in person to the filter settings; a guest signs up first. */
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
