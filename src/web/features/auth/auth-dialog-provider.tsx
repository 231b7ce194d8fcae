import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { AuthDialogContext, type AuthMode } from "../../lib/auth-dialog.ts";

const AuthDialog = lazy(async () => ({ default: (await import("./auth-dialog.tsx")).AuthDialog }));

/** Holds which form is open. The dialog itself loads when first opened. */
export function AuthDialogProvider({ children }: { children: ReactNode }) {
  const [mode, setMode] = useState<AuthMode>();
  const control = useMemo(() => ({ open: setMode }), []);
  return (
    <AuthDialogContext value={control}>
      {children}
      {mode && (
        <Suspense fallback={null}>
          <AuthDialog mode={mode} onModeChange={setMode} onClose={() => setMode(undefined)} />
        </Suspense>
      )}
    </AuthDialogContext>
  );
}
