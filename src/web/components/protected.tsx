import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { useAuthDialog } from "../lib/auth/auth-dialog.ts";
import type { RememberedState } from "../lib/auth/session.ts";
import { isSessionEndExpected, useSession } from "../lib/auth/session.ts";
import { notify, type Toast } from "../lib/browser/toast.ts";
import { useLanguage, useTexts } from "../lib/i18n/use-texts.ts";
import { Spinner } from "./spinner.tsx";

/**
 * Shows its content to signed-in people only. A guest is sent home to the sign-in form, and the address is remembered
 * for after the sign-in. `early` is the place for what can be shown before.
 */
export function Protected({ early, children }: { early?: ReactNode; children: ReactNode }) {
  const { user, isUnknown } = useSession();
  const t = useTexts("common");
  useSendHome({ isSignedIn: user !== null, isGuest: !isUnknown && user === null });
  if (user) return children;
  // As tall as the page it stands for, so that the footer and its font stay out of view.
  return (
    <div data-waiting className="min-h-[120vh]">
      <Spinner label={t("access.loading")} />
      {early}
    </div>
  );
}

function useSendHome({ isSignedIn, isGuest }: { isSignedIn: boolean; isGuest: boolean }): void {
  const t = useTexts("common");
  const language = useLanguage();
  const navigate = useNavigate();
  const openForm = useOpenFormAfterwards();
  const { pathname, search, hash } = useLocation();
  const isSent = useRef(false);
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (isSignedIn) wasSignedIn.current = true;
    if (!isGuest || isSent.current) return;
    isSent.current = true;
    const home = localizedPath("/", language);
    if (wasSignedIn.current && isSessionEndExpected()) {
      void navigate(home, { replace: true });
      return;
    }
    // A session that was ended by another tab or device gets a different message than no session.
    const toast: Omit<Toast, "kind"> = wasSignedIn.current
      ? { title: t("session.endedTitle"), description: t("session.endedText") }
      : { title: t("access.requiredTitle"), description: t("access.requiredText") };
    notify({ kind: "destructive", ...toast });
    const state: RememberedState = { from: pathname + search + hash };
    if (!wasSignedIn.current) openForm();
    void navigate(home, { replace: true, state });
  }, [isSignedIn, isGuest, t, language, navigate, openForm, pathname, search, hash]);
}

/** Opens the sign-in form when the next page is there and has moved the focus to its heading. */
function useOpenFormAfterwards(): () => void {
  const { open, preload } = useAuthDialog();
  const isWanted = useRef(false);
  const latest = useRef({ open, preload });
  useEffect(() => {
    latest.current = { open, preload };
  }, [open, preload]);
  useEffect(
    () => () => {
      if (isWanted.current) setTimeout(() => latest.current.open("signin"));
    },
    [],
  );
  return useCallback(() => {
    isWanted.current = true;
    latest.current.preload();
  }, []);
}
