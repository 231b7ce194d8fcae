import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Switch } from "../../components/form/switch.tsx";
import { Panel } from "../../components/panel.tsx";
import { FormFailure } from "../../components/ui/failure-notice.tsx";
import { changeProfile } from "./change-profile.ts";

interface AwayMailsPanelProps {
  userId: string;
  isOn: boolean;
}

/** Whether alerts that wait because Telegram is down are mailed. */
export function AwayMailsPanel({ userId, isOn }: AwayMailsPanelProps) {
  const t = useTexts("account");
  const queries = useQueryClient();
  const change = useAction({
    run: (hasAwayMails: boolean) =>
      changeProfile(queries, {
        userId,
        title: t("awayMails.title"),
        before: { mails_when_away: isOn },
        mine: { mails_when_away: hasAwayMails },
      }),
    failure: t("awayMails.failure", { returnObjects: true }),
  });
  return (
    <Panel id="away-mails" title={t("awayMails.title")} description={t("awayMails.description")}>
      <Switch label={t("awayMails.switch")} isOn={change.pendingInput ?? isOn} onTurn={change.run} />
      <p role="status" className="text-sm text-muted empty:hidden">
        {change.isBusy ? t("awayMails.saving") : null}
      </p>
      <FormFailure failure={change.failure} />
    </Panel>
  );
}
