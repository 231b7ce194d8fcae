import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { localizedPath } from "#core/languages.ts";
import type { RememberedState } from "../lib/remembered-location.ts";
import { useSession } from "../lib/session.ts";
import { notify } from "../lib/toast.ts";
import { useLanguage, useTexts } from "../lib/use-texts.ts";
import { Spinner } from "./spinner.tsx";

/** Shows its content to a signed-in person only; a guest is sent home, and the way back is remembered. */
export function Protected({ children }: { children: ReactNode }) {
  const { user, isLoading } = useSession();
  const t = useTexts("common");
  const isGuest = !isLoading && user === null;
  useSendHome(isGuest);
  return user ? children : <Spinner label={t("access.loading")} />;
}

function useSendHome(isGuest: boolean): void {
  const t = useTexts("common");
  const language = useLanguage();
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const isSent = useRef(false);
  useEffect(() => {
    if (!isGuest || isSent.current) return;
    isSent.current = true;
    notify({ kind: "destructive", title: t("access.requiredTitle"), description: t("access.requiredText") });
    const state: RememberedState = { from: pathname + search + hash };
    void navigate(localizedPath("/", language), { replace: true, state });
  }, [isGuest, t, language, navigate, pathname, search, hash]);
}
