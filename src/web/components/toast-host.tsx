import { type ComponentType, useEffect, useState } from "react";
import { logProblem } from "../lib/browser/log.ts";
import { onFirstToast } from "../lib/browser/toast.ts";
import { useTexts } from "../lib/i18n/use-texts.ts";

type Toaster = ComponentType<{ label: string; closeLabel: string }>;

/** Loads what shows toasts with the first of them. If that fails, offline for one, the next toast tries again. */
export function ToastHost() {
  const t = useTexts("common");
  const [loaded, setLoaded] = useState<{ Toaster: Toaster }>();
  useEffect(
    () =>
      onFirstToast(() => {
        import("./ui/toaster.tsx").then(
          ({ Toaster }) => setLoaded({ Toaster }),
          (error: unknown) => logProblem("A message could not be shown", error),
        );
      }),
    [],
  );
  return loaded ? <loaded.Toaster label={t("toasts.region")} closeLabel={t("dialog.close")} /> : null;
}
