import type { AuthChangeEvent, AuthError, Session, User } from "@supabase/supabase-js";
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Location, useLocation } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import type { ProviderName } from "#web/lib/auth/providers.ts";
import {
  expectSessionEnd,
  rememberedLocation,
  SessionContext,
  type SessionState,
  useSession,
} from "#web/lib/auth/session.ts";
import { isUnreachable, loadSupabase, onClientLoaded, type Supabase } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { afterFrame } from "#web/lib/browser/next-task.ts";
import { createTabStorage, storedKeys } from "#web/lib/browser/storage.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { isInApp } from "#web/lib/mini-app/is-in-app.ts";
import { TAB_STORAGE_KEYS } from "#web/lib/site/constants.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { isSessionKey, mayHoldSession } from "../../lib/auth/session-key.ts";
import { storedSession } from "../../lib/auth/stored-session.ts";
import { openProvider, openProviderLink } from "./auth-calls.ts";
import { finishAuthReturn, type ReturnOutcome, takeAuthReturn } from "./auth-return.ts";

interface Known {
  user: User | null;
  session: Session | null;
  isUnknown: boolean;
}

type SetKnown = (known: Known) => void;

/** The time at which every stored session counts as valid. */
const ANY_AGE = 0;

const GUEST: Known = { user: null, session: null, isUnknown: false };

const AuthOutcome = lazyPart(async () => (await import("./auth-outcome.tsx")).AuthOutcome, {
  namespaces: ["auth"],
  isFloating: true,
});

export function SessionProvider({ children }: { children: ReactNode }) {
  const [known, setKnown] = useKnown();
  const [outcome, setOutcome] = useState<ReturnOutcome | null>(null);
  const signOut = useSignOut();
  useSessionOfThisTab(setKnown, setOutcome);
  useFollowOtherTabs(setKnown);
  const userId = known.user?.id;
  useEffect(() => {
    if (userId !== undefined) expectSessionEnd(false);
  }, [userId]);
  const language = useLanguage();
  const confirmWith = useCallback(
    (provider: ProviderName, path: string) => openProvider(provider, language, path),
    [language],
  );
  const linkWith = useCallback(
    (...[provider, trip]: Parameters<SessionState["linkWith"]>) => openProviderLink(provider, language, trip),
    [language],
  );
  const state = useMemo<SessionState>(
    () => ({ ...known, signOut, confirmWith, linkWith }),
    [known, signOut, confirmWith, linkWith],
  );
  return (
    <SessionContext value={state}>
      {children}
      {outcome && (
        <Suspense fallback={null}>
          <AuthOutcome outcome={outcome} />
        </Suspense>
      )}
    </SessionContext>
  );
}

/** The session is read several times during the start and on every focus. The same one must not render the page again. */
function useKnown(): [Known, SetKnown] {
  const [known, setKnown] = useState<Known>({ ...GUEST, isUnknown: true });
  const setIfChanged = useCallback(
    (next: Known) => setKnown((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next)),
    [],
  );
  return [known, setIfChanged];
}

function useSessionOfThisTab(setKnown: SetKnown, setOutcome: (outcome: ReturnOutcome) => void): void {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const isReturning = useRef(false);
  const hasLooked = useRef(false);

  useEffect(() => {
    let stopListening = () => {};
    const forget = onClientLoaded((supabase) => {
      stopListening = followSession(supabase, (next, event) => {
        // A sign-in from the address is in progress: the person is not a guest.
        if (isReturning.current && event === "INITIAL_SESSION" && next.user === null) return;
        // The token has expired and could not be renewed without a connection. The session is still stored.
        if (event === "INITIAL_SESSION" && next.user === null && storedSession(ANY_AGE)) return;
        setKnown(next);
      });
    });
    return () => {
      forget();
      stopListening();
    };
  }, [setKnown]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a link pasted into an open tab changes these two alone
  useEffect(() => {
    const isFirst = !hasLooked.current;
    hasLooked.current = true;
    const { isWiped, returned } = takeAuthReturn();
    // The router read the address before it was cleaned.
    if (isWiped) void navigate(currentAddress(), { replace: true, state: null });
    if (returned) {
      isReturning.current = true;
      void finishAuthReturn(returned, loadSupabase).then(async (ended) => {
        isReturning.current = false;
        if (ended.kind !== "signed-in") await readSession(setKnown);
        setOutcome(ended);
      });
    } else if (isFirst) void readSession(setKnown);
  }, [search, hash, navigate, setKnown, setOutcome]);
}

/** A guest is recognised by the storage alone, without loading supabase-js. */
async function readSession(setKnown: SetKnown): Promise<void> {
  const isApp = isInApp(window.location.pathname);
  // Its frame shows why there is no session.
  if (isApp && (await (await import("#web/lib/mini-app/app-session.ts")).signInToApp()) !== undefined) return;
  if (!isApp && !mayHoldSession(storedKeys())) {
    setKnown(GUEST);
    return;
  }
  // Without a connection an expired token cannot be renewed, and signs nobody out.
  const stored = storedSession(navigator.onLine ? Date.now() : ANY_AGE);
  if (stored) {
    setKnown({ user: stored.user, session: stored, isUnknown: false });
    // The page is shown before supabase-js, which is as large as React, is loaded.
    await new Promise<void>(afterFrame);
  }
  try {
    const { auth } = await loadSupabase();
    const { data, error } = await auth.getSession();
    if (error && isUnreachable(error)) throw error;
    setKnown({ user: data.session?.user ?? null, session: data.session, isUnknown: false });
  } catch (error) {
    logProblem("The session could not be read", error);
    // Keep the stored user: their next request tries again and shows a failure.
    const kept = storedSession(ANY_AGE);
    setKnown(kept ? { user: kept.user, session: kept, isUnknown: false } : GUEST);
  }
}

/** A guest's page has not loaded supabase-js, which would notice a sign-in in another tab; the storage event does. */
function useFollowOtherTabs(setKnown: SetKnown): void {
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (isSessionKey(key)) void readSession(setKnown);
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [setKnown]);
}

/**
 * Every event carries the current session: INITIAL_SESSION, SIGNED_IN, SIGNED_OUT (none), TOKEN_REFRESHED,
 * USER_UPDATED, PASSWORD_RECOVERY, MFA_CHALLENGE_VERIFIED.
 */
function followSession(
  supabase: Supabase,
  listener: (known: Known, event: AuthChangeEvent) => void,
): () => void {
  const { data } = supabase.auth.onAuthStateChange((event, session) => {
    listener({ user: session?.user ?? null, session, isUnknown: false }, event);
  });
  return () => data.subscription.unsubscribe();
}

/** Ends all sessions of the person. This browser is signed out even if the server fails. */
function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  const language = useLanguage();
  const t = useTexts("common");
  return useCallback(async () => {
    createTabStorage().removeItem(TAB_STORAGE_KEYS.drafts);
    // Not awaited: if the home page cannot be loaded, the sign-out still goes on.
    void navigate(localizedPath("/", language), { replace: true, state: { isSigningOut: true } });
    try {
      const { auth } = await loadSupabase();
      expectSessionEnd(true);
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

function currentAddress(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}

/** Continues to the page that a guest wanted before signing in. */
export function ResumeAfterSignIn() {
  const { user } = useSession();
  const location: Location<unknown> = useLocation();
  const language = useLanguage();
  const navigate = useNavigate();
  const wanted = rememberedLocation(location.state);
  const target = user && wanted ? localizedPath(wanted, language) : null;
  useEffect(() => {
    if (target !== null) void navigate(target, { replace: true });
  }, [target, navigate]);
  return null;
}
