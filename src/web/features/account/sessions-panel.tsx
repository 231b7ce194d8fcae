import { SubmitButton } from "../../components/submit-button.tsx";
import { useTexts } from "../../lib/use-texts.ts";
import { signOutOthers } from "./account-calls.ts";
import { Panel } from "./panel.tsx";
import { useDeed } from "./use-deed.ts";

export function SessionsPanel() {
  const t = useTexts("account");
  const { isBusy, run } = useDeed(t("sessions.failure", { returnObjects: true }));
  return (
    <Panel id="sessions" title={t("sessions.title")} description={t("sessions.description")}>
      <SubmitButton
        type="button"
        variant="outline"
        className="w-full sm:w-auto sm:justify-self-start"
        isBusy={isBusy}
        busyText={t("sessions.signingOut")}
        onClick={() => void run(signOutOthers, t("sessions.success", { returnObjects: true }))}
      >
        {t("sessions.signOutOthers")}
      </SubmitButton>
    </Panel>
  );
}
