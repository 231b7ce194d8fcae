import { type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { AuthDialogContext, type AuthMode } from "#web/lib/auth/auth-dialog.ts";
import { usePreloadTexts, useTexts } from "#web/lib/i18n/use-texts.ts";
import { Spinner } from "../../components/spinner.tsx";

const loadDialog = () => import("./auth-dialog.tsx");
const AuthDialog = lazyPart(async () => (await loadDialog()).AuthDialog, {
  namespaces: ["auth"],
  isFloating: true,
  onDismiss: ({ onClose }) => onClose(),
});

/** Holds which form is open. The dialog loads when it is first opened. */
export function AuthDialogProvider({ children }: { children: ReactNode }) {
  const [mode, setMode] = useState<AuthMode>();
  const preloadTexts = usePreloadTexts();
  const close = useCallback(() => setMode(undefined), []);
  const control = useMemo(() => {
    const preload = () => {
      preloadTexts("auth");
      loadDialog().catch(() => undefined);
    };
    return { open: setMode, preload };
  }, [preloadTexts]);
  return (
    <AuthDialogContext value={control}>
      {children}
      {mode && (
        <Suspense fallback={<LoadingOverlay />}>
          <AuthDialog mode={mode} onModeChange={setMode} onClose={close} />
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
