import type { Session, User } from "@supabase/supabase-js";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { logProblem } from "../../lib/log.ts";
import { SessionContext, type SessionState } from "../../lib/session.ts";
import { storedKeys } from "../../lib/storage.ts";
import { loadSupabase, type Supabase, whenConnected } from "../../lib/supabase.ts";
import { notify } from "../../lib/toast.ts";
import { useLanguage, useTexts } from "../../lib/use-texts.ts";
import { isSessionKey, mayHoldSession } from "./stored-session.ts";

interface Known {
  user: User | null;
  session: Session | null;
  isLoading: boolean;
}

const GUEST: Known = { user: null, session: null, isLoading: false };

export function SessionProvider({ children }: { children: ReactNode }) {
  const [known, setKnown] = useState<Known>({ ...GUEST, isLoading: true });
  const signOut = useSignOut();

  useEffect(() => {
    let stopListening = () => {};
    const forget = whenConnected((supabase) => {
      stopListening = followSession(supabase, setKnown);
    });
    return () => {
      forget();
      stopListening();
    };
  }, []);

  useEffect(() => {
    const load = () =>
      loadSupabase().catch((error: unknown) => {
        logProblem("The session could not be read", error);
        setKnown(GUEST);
      });
    // A guest's header needs no client; a sign-in in another tab does.
    const onStorage = ({ key }: StorageEvent) => {
      if (isSessionKey(key)) void load();
    };
    if (mayHoldSession(storedKeys(), window.location)) void load();
    else setKnown(GUEST);
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, []);

  const state = useMemo<SessionState>(() => ({ ...known, signOut }), [known, signOut]);
  return <SessionContext value={state}>{children}</SessionContext>;
}

/**
 * Every event carries the session that holds from now on: INITIAL_SESSION, SIGNED_IN, SIGNED_OUT (none),
 * TOKEN_REFRESHED, USER_UPDATED, PASSWORD_RECOVERY, MFA_CHALLENGE_VERIFIED.
 */
function followSession(supabase: Supabase, setKnown: (known: Known) => void): () => void {
  const { data } = supabase.auth.onAuthStateChange((_event, session) => {
    setKnown({ user: session?.user ?? null, session, isLoading: false });
  });
  return () => data.subscription.unsubscribe();
}

function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  const language = useLanguage();
  const t = useTexts("common");
  return useCallback(async () => {
    // Home first: a protected page would otherwise ask the person who just left to log in.
    await navigate(localizedPath("/", language));
    try {
      const supabase = await loadSupabase();
      const { error } = await supabase.auth.signOut({ scope: "global" });
      if (error && !isSessionGone(error)) throw error;
      await supabase.auth.signOut({ scope: "local" });
      notify({ kind: "success", title: t("session.signedOut"), description: t("session.signedOutText") });
    } catch (error) {
      logProblem("Signing out failed", error);
      const description = error instanceof Error && error.message ? error.message : t("session.unexpected");
      notify({ kind: "destructive", title: t("session.signOutFailed"), description });
    }
  }, [navigate, language, t]);
}

function isSessionGone(error: {
  name: string;
  status?: number | undefined;
  code?: string | undefined;
}): boolean {
  return (
    error.name === "AuthSessionMissingError" || error.code === "session_not_found" || error.status === 404
  );
}
