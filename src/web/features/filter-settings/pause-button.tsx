import { useQueryClient } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { SubmitButton } from "../../components/submit-button.tsx";
import { logProblem } from "../../lib/log.ts";
import { notify } from "../../lib/toast.ts";
import { useTexts } from "../../lib/use-texts.ts";
import { setPaused } from "./filter-calls.ts";

export function PauseButton({ userId, isPaused }: { userId: string; isPaused: boolean }) {
  const t = useTexts("filter");
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const toggle = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await setPaused(userId, !isPaused);
      await Promise.all(
        ["filter", "watch"].map((name) => queries.invalidateQueries({ queryKey: [name, userId] })),
      );
    } catch (error) {
      logProblem("The watch could not be paused or resumed", error);
      const description = isPaused ? t("watch.resumeFailed") : t("watch.pauseFailed");
      notify({ kind: "destructive", title: t("messages.error"), description });
    } finally {
      setBusy(false);
    }
  };
  const Icon = isPaused ? Play : Pause;
  return (
    <SubmitButton
      type="button"
      variant={isPaused ? "lantern" : "outline"}
      isBusy={isBusy}
      busyText={t("watch.pausing")}
      onClick={() => void toggle()}
    >
      <Icon aria-hidden className="size-4.5" />
      {isPaused ? t("watch.resume") : t("watch.pause")}
    </SubmitButton>
  );
}
