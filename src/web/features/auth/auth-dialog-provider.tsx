import { type ComponentType, type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import { AuthDialogContext, type AuthMode } from "#web/lib/auth/auth-dialog.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { usePreloadTexts, useTexts } from "#web/lib/i18n/use-texts.ts";
import { Spinner } from "../../components/spinner.tsx";
import type { AuthDialogProps } from "./auth-dialog.tsx";

const loadDialog = () => import("./auth-dialog.tsx");

type Dialog = ComponentType<AuthDialogProps>;

/** Holds which form is open. The dialog loads when it is first opened. */
export function AuthDialogProvider({ children }: { children: ReactNode }) {
  const [mode, setMode] = useState<AuthMode>();
  const [loaded, setLoaded] = useState<{ Dialog: Dialog }>();
  const t = useTexts("common");
  const preloadTexts = usePreloadTexts();
  const close = useCallback(() => setMode(undefined), []);
  const control = useMemo(() => {
    const onFailure = (error: unknown) => {
      logProblem("The sign-in form could not be loaded", error);
      setMode(undefined);
      notify({ kind: "destructive", title: t("session.unexpected"), description: t("session.unreachable") });
    };
    const open = (wanted: AuthMode) => {
      setMode(wanted);
      preloadTexts("auth");
      loadDialog().then(({ AuthDialog }) => setLoaded({ Dialog: AuthDialog }), onFailure);
    };
    const preload = () => {
      preloadTexts("auth");
      loadDialog().catch(() => undefined);
    };
    return { open, preload };
  }, [t, preloadTexts]);
  return (
    <AuthDialogContext value={control}>
      {children}
      {mode && (
        <Suspense fallback={<LoadingOverlay />}>
          {loaded ? <loaded.Dialog mode={mode} onModeChange={setMode} onClose={close} /> : <LoadingOverlay />}
        </Suspense>
      )}
    </AuthDialogContext>
  );
}

/** Shown after the first click on a slow connection. */
function LoadingOverlay() {
  const t = useTexts("common");
  return (
    <div className="night fixed inset-0 z-50 grid animate-fade-in place-items-center bg-night/70">
      <Spinner label={t("access.loading")} />
    </div>
  );
}
