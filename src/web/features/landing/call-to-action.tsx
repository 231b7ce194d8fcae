import { useState } from "react";
import { PrefetchPageLinks } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { Button } from "#web/components/ui/button.tsx";
import { useAuthDialog, useCallToAction } from "#web/lib/auth/auth-dialog.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";

/** What it leads to is fetched when a pointer or the focus comes near it. */
export function CallToAction({ className, children }: { className: string; children: string }) {
  const callToAction = useCallToAction();
  const { user } = useSession();
  const { preload } = useAuthDialog();
  const language = useLanguage();
  const [isNear, setNear] = useState(false);
  const prepare = () => {
    if (user) setNear(true);
    else preload();
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
      {isNear && <PrefetchPageLinks page={localizedPath("/filter-settings", language)} />}
    </>
  );
}
