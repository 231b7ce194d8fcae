import { useNavigation } from "react-router";
import { useTextLoading } from "../lib/text-loading.ts";

/** A line of light along the top while the next page is on its way; a quick one never shows it. */
export function PendingBar() {
  const isNavigating = useNavigation().state !== "idle";
  const isLoadingTexts = useTextLoading();
  if (!isNavigating && !isLoadingTexts) return null;
  return <div aria-hidden className="fixed inset-x-0 top-0 z-50 h-1 animate-pending bg-lantern" />;
}
