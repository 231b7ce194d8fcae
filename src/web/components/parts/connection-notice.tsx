import { useIsFetching, useIsMutating } from "@tanstack/react-query";
import { LoaderCircle, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { useIsWaiting } from "../../lib/changes/unsent.ts";
import { useTextLoading, useTexts } from "../../lib/i18n/use-texts.ts";
import { useIsOnline } from "../../lib/offline/use-is-online.ts";
import { usePageFailure } from "../../lib/parts/page-failure.ts";
import { SLOW_MS } from "../../lib/site/constants.ts";
import { showFocusedField } from "../ui/use-foot-room.ts";
import { NewVersion } from "./new-version.tsx";

/** Says that there is no connection, that changes wait, or that the person's last press takes longer than usual. */
export function ConnectionNotice() {
  const t = useTexts("common");
  const isOnline = useIsOnline();
  const isSlow = useIsSlow();
  const isPageWaiting = useNavigation().state !== "idle";
  const isSaidElsewhere = usePageFailure() !== null && isPageWaiting;
  const hasChanges = useIsWaiting();
  const reason = isOnline ? isSlow && t("parts.slow") : t("parts.offline");
  const text = [reason, hasChanges && t("parts.waiting")].filter(Boolean).join(" ");
  const isShown = text !== "" && !isSaidElsewhere;
  useEffect(() => {
    if (isShown) showFocusedField();
  }, [isShown]);
  const Icon = isOnline ? LoaderCircle : WifiOff;
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-(--above-bar) z-60 grid justify-items-center lg:justify-items-start"
    >
      <NewVersion />
      {isShown && (
        <p
          data-connection-notice
          className="mx-4 flex items-center gap-2.5 rounded-full border border-strong-line bg-surface px-4 py-2 text-md font-semibold shadow-lg"
        >
          <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
          {text}
        </p>
      )}
    </div>
  );
}

/** Whether something that the person waits for has had no answer for some seconds. */
function useIsSlow(): boolean {
  const isNavigating = useNavigation().state !== "idle";
  const isLoadingTexts = useTextLoading();
  const isSaving = useIsMutating({ predicate: ({ state }) => !state.isPaused }) > 0;
  const isLoadingData = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
  const isWaiting = isNavigating || isLoadingTexts || isSaving || isLoadingData;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isWaiting]);
  return isSlow;
}
