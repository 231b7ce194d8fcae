import { useState } from "react";
import { SubmitButton } from "#web/components/submit-button.tsx";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { detailsOf } from "../form/filter-calls.ts";
import { sendTestMessage } from "./chat-calls.ts";

export function TestButton({ chatId, name }: { chatId: string; name: string }) {
  const t = useTexts("filter");
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await sendTestMessage(chatId);
      notify({
        kind: "success",
        title: t("test.success.title"),
        description: t("test.success.description", { name }),
      });
    } catch (error) {
      const key = FAILURES[detailsOf(error)] ?? "failure";
      if (key === "failure") logProblem("The test message could not be sent", error);
      notify({ kind: "destructive", ...t(`test.${key}`, { returnObjects: true }) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <SubmitButton
      type="button"
      variant="link"
      size="inline"
      className="min-h-11 text-left text-[0.9375rem] whitespace-normal!"
      aria-label={t("test.sendTo", { name })}
      isBusy={isBusy}
      busyText={t("test.sending")}
      onClick={() => void send()}
    >
      {t("test.send")}
    </SubmitButton>
  );
}

const FAILURES: Record<string, "tooMany" | "notConnected"> = {
  "too-many-tests": "tooMany",
  "not-connected": "notConnected",
};
