import { PrefetchPageLinks } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { Button } from "#web/components/ui/button.tsx";
import { useAuthDialog, useCallToAction } from "#web/lib/auth/auth-dialog.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useIdle } from "#web/lib/browser/use-idle.ts";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";

/** Requests of the person come first. React Router passes this on to each link, which its types do not say. */
const LOW_PRIORITY = { fetchPriority: "low" } as const;

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
  return (
    <>
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
      {user && isIdle && (
        <PrefetchPageLinks page={localizedPath("/filter-settings", language)} {...LOW_PRIORITY} />
      )}
    </>
  );
}
