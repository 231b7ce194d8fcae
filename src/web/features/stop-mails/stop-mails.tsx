import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { BusyButton } from "../../components/form/busy-button.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { NightScene } from "../../components/night-scene.tsx";
import { Button } from "../../components/ui/button.tsx";
import { FailureNotice } from "../../components/ui/failure-notice.tsx";

/**
 * Opened by the link in mails with waiting alerts. It waits for a click: a mail scanner that opens every link must not switch
 * the mails off. Mail clients post to the same address themselves.
 */
export function StopMails() {
  const t = useTexts("auth");
  const [address, setAddress] = useState<string>();
  useEffect(() => setAddress(`${window.location.pathname}${window.location.search}`), []);
  const { isBusy, data, error, run } = useAction({ run: stopMails, failure: null });
  const profile = (
    <Button variant="ghost" size="lg" asChild>
      <LocalLink to="/profile">{t("stopMails.profile")}</LocalLink>
    </Button>
  );
  if (data === "stopped") {
    return (
      <NightScene title={t("stopMails.doneTitle")}>
        <p role="status" className="flex gap-3 text-muted">
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
          {t("stopMails.done")}
        </p>
        {profile}
      </NightScene>
    );
  }
  return (
    <NightScene title={t("stopMails.pageTitle")}>
      <p className="text-muted">{t("stopMails.description")}</p>
      {data === "unknown" && <FailureNotice message={t("stopMails.unknown")} />}
      {error !== null && <FailureNotice message={t("stopMails.failed")} />}
      <BusyButton
        variant="lantern"
        size="lg"
        className="w-full"
        isBusy={isBusy}
        busyText={t("stopMails.submitting")}
        onClick={() => run(address ?? "")}
      >
        {t("stopMails.submit")}
      </BusyButton>
      {profile}
    </NightScene>
  );
}

async function stopMails(address: string): Promise<"stopped" | "unknown"> {
  const answer = await fetch(address, { method: "POST" });
  if (answer.status === 404) return "unknown";
  if (!answer.ok) throw new Error(`The server answers ${answer.status}`);
  return "stopped";
}
