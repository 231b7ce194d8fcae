import { useEffect } from "react";
import { localizedPath } from "#core/languages.ts";
import { Button } from "#web/components/ui/button.tsx";
import { useAuthDialog, useCallToAction } from "#web/lib/auth/auth-dialog.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useIdle } from "#web/lib/browser/use-idle.ts";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";
import { preloadRoute } from "#web/lib/parts/preload-route.ts";

/**
 * Preloads its target: for a guest the sign-up form when a pointer or the focus comes near, for a signed-in person the
 * filter settings when the page is idle.
 */
export function CallToAction({ className, children }: { className: string; children: string }) {
  const callToAction = useCallToAction();
  const { user } = useSession();
  const { preload } = useAuthDialog();
  const language = useLanguage();
  const isIdle = useIdle();
  const prepare = () => {
    if (!user) preload();
  };
  const isSignedIn = user !== null;
  useEffect(() => {
    if (isSignedIn && isIdle) preloadRoute(localizedPath("/filter-settings", language));
  }, [isSignedIn, isIdle, language]);
  return (
    <Button
      variant="lantern"
      size="lg"
      className={className}
      onClick={callToAction}
      onPointerEnter={prepare}
      onFocus={prepare}
    >
      {children}
    </Button>
  );
}
