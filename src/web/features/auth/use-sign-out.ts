import type { AuthError } from "@supabase/supabase-js";
import { useCallback } from "react";
import { useNavigate } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { loadSupabase } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";

/** Ends every session of the person. Whatever the server says, this browser ends signed out. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  const language = useLanguage();
  const t = useTexts("common");
  return useCallback(async () => {
    // Home first: a protected page would otherwise ask the person who just left to log in.
    await navigate(localizedPath("/", language), { state: { isSigningOut: true } });
    try {
      const { auth } = await loadSupabase();
      const { error } = await auth.signOut({ scope: "global" });
      await auth.signOut({ scope: "local" });
      if (error && !isSessionGone(error)) throw error;
      notify({ kind: "success", title: t("session.signedOut"), description: t("session.signedOutText") });
    } catch (error) {
      logProblem("Signing out failed", error);
      const isUnreachable = error instanceof Error && error.name === "AuthRetryableFetchError";
      const words = error instanceof Error && error.message ? error.message : t("session.unexpected");
      const description = isUnreachable ? t("session.signedOutHereOnly") : words;
      notify({ kind: "destructive", title: t("session.signOutFailed"), description });
    }
  }, [navigate, language, t]);
}

function isSessionGone({ name, code, status }: AuthError): boolean {
  return name === "AuthSessionMissingError" || code === "session_not_found" || status === 404;
}
