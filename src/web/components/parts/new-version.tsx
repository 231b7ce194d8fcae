import { X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import { isPageOutdated, lookForNewBuild, onOutdated } from "../../lib/parts/new-build.ts";
import { Button } from "../ui/button.tsx";

const LOOK_MS = 3_600_000;

export function useIsOutdated(): boolean {
  return useSyncExternalStore(onOutdated, isPageOutdated, () => false);
}

export function ReloadButton() {
  const t = useTexts("common");
  return (
    <Button variant="link" size="line" onClick={() => window.location.reload()}>
      {t("parts.newVersion")}
    </Button>
  );
}

/** Offers the newer build of the server, unless a failure over the page does. The person decides when. */
export function NewVersion() {
  const t = useTexts("common");
  const isOutdated = useIsOutdated();
  const [isDismissed, setDismissed] = useState(false);
  useLookOnReturn();
  if (!isOutdated || isDismissed) return null;
  return (
    <p
      data-new-version
      className="pointer-events-auto mx-4 mb-2 flex items-center rounded-full border border-strong-line bg-surface pr-1 pl-4 shadow-lg"
    >
      <ReloadButton />
      <Button variant="ghost" size="icon" aria-label={t("dialog.close")} onClick={() => setDismissed(true)}>
        <X aria-hidden className="size-4.5" />
      </Button>
    </p>
  );
}

/** A tab that is opened again after an hour may be of an older build. */
function useLookOnReturn(): void {
  useEffect(() => {
    let lookedAt = Date.now();
    const look = () => {
      if (document.hidden || Date.now() - lookedAt < LOOK_MS) return;
      lookedAt = Date.now();
      lookForNewBuild().catch(() => undefined);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
}
