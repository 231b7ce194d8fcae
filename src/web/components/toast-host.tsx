import { lazy, Suspense, useEffect, useState } from "react";
import { onFirstToast } from "../lib/toast.ts";
import { useTexts } from "../lib/use-texts.ts";

const Toaster = lazy(async () => ({ default: (await import("./ui/toaster.tsx")).Toaster }));

export function ToastHost() {
  const t = useTexts("common");
  const [isWanted, setWanted] = useState(false);
  useEffect(() => onFirstToast(() => setWanted(true)), []);
  if (!isWanted) return null;
  return (
    <Suspense fallback={null}>
      <Toaster label={t("toasts.region")} closeLabel={t("dialog.close")} />
    </Suspense>
  );
}
