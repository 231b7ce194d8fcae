import { WifiOff, X } from "lucide-react";
import { useState } from "react";
import { cn } from "../../lib/browser/class-names.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import { loadAgainNow } from "../../lib/parts/load-again.ts";
import type { LoadFailure } from "../../lib/parts/reason-of-failure.ts";
import { Button } from "../ui/button.tsx";
import { ReloadButton, useIsOutdated } from "./new-version.tsx";

interface PartFailureProps {
  reason: LoadFailure;
  /** For a part that covers the page, like a dialog or a menu: the failure is shown over the page. */
  isFloating?: boolean;
  onDismiss?: (() => void) | undefined;
}

/** An attempt without a connection fails at once: shown for less time, the press would seem to do nothing. */
const TRYING_MS = 1_000;

/** Stands in the place of a part that could not be loaded, until it is. Needs nothing that has to be loaded itself. */
export function PartFailure({ reason, isFloating = false, onDismiss }: PartFailureProps) {
  const t = useTexts("common");
  const isOutdated = useIsOutdated();
  const [isTrying, setTrying] = useState(false);
  const tryAgain = () => {
    setTrying(true);
    setTimeout(() => setTrying(false), TRYING_MS);
    loadAgainNow();
  };
  return (
    <div
      role="alert"
      data-part-failure={reason}
      data-floating={isFloating || undefined}
      className={cn(
        "flex items-center gap-3 rounded-2xl border border-strong-line bg-surface px-4 py-3 text-md leading-snug",
        isFloating
          ? "fixed inset-x-4 bottom-(--above-bar) z-50 mx-auto max-w-md shadow-lg"
          : "mx-auto my-6 w-full max-w-xl",
      )}
    >
      <WifiOff aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{t(`parts.${reason}`)}</p>
        {isOutdated ? <ReloadButton /> : <p className="text-muted">{t("parts.later")}</p>}
      </div>
      <Button variant="link" size="line" className="shrink-0" onClick={tryAgain}>
        {t(isTrying ? "access.loading" : "parts.retry")}
      </Button>
      {onDismiss && (
        <Button variant="ghost" size="icon" aria-label={t("dialog.close")} onClick={onDismiss}>
          <X aria-hidden className="size-4.5" />
        </Button>
      )}
    </div>
  );
}
