import { useState } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useFocusOnClose } from "#web/lib/browser/use-focus-on-close.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Panel } from "../../components/panel.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { allowTelegramLink } from "./account-calls.ts";
import { AccountFailure } from "./account-failure.tsx";

interface TelegramPanelProps {
  /** The Telegram user who can sign in; null if nobody can. */
  telegramUser: { name: string | null } | null;
  hasPassword: boolean;
}

export function TelegramPanel({ telegramUser, hasPassword }: TelegramPanelProps) {
  const t = useTexts("account");
  const [isOpen, setOpen] = useState(false);
  const opener = useFocusOnClose(isOpen);
  return (
    <Panel id="telegram" title={t("telegram.title")} description={useDescription(telegramUser)}>
      {telegramUser === null &&
        (isOpen ? (
          <LinkForm hasPassword={hasPassword} onDone={() => setOpen(false)} />
        ) : (
          <Button
            ref={opener}
            variant="outline"
            className="w-full sm:w-auto sm:justify-self-start"
            onClick={() => setOpen(true)}
          >
            {t("telegram.open")}
          </Button>
        ))}
    </Panel>
  );
}

function useDescription(telegramUser: TelegramPanelProps["telegramUser"]): string {
  const t = useTexts("account");
  if (telegramUser === null) return t("telegram.none");
  const { name } = telegramUser;
  return name === null ? t("telegram.linkedUnnamed") : t("telegram.linked", { name });
}

function LinkForm({ hasPassword, onDone }: { hasPassword: boolean; onDone(): void }) {
  const t = useTexts("account");
  const { user, linkWith } = useSession();
  const [password, setPassword] = useState("");
  const link = useAction({
    run: async () => {
      await allowTelegramLink({ email: user?.email ?? "", password: hasPassword ? password : undefined });
      await linkWith("telegram", "/profile");
    },
    failure: null,
  });
  const { faultOf, onSubmit } = useFaults(
    { "current-password": hasPassword && password === "" ? t("telegram.passwordRequired") : null },
    link.run,
  );
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4 sm:max-w-96">
      {hasPassword && (
        <PasswordField
          label={t("telegram.password")}
          name="current-password"
          autoComplete="current-password"
          autoFocus
          fault={faultOf("current-password")}
          value={password}
          onValueChange={setPassword}
        />
      )}
      {link.error && <AccountFailure title={t("telegram.failure.title")} error={link.error} />}
      <div className="flex flex-wrap gap-2">
        <SubmitButton isBusy={link.isBusy} busyText={t("telegram.submitting")}>
          {t("telegram.submit")}
        </SubmitButton>
        <Button variant="ghost" onClick={onDone}>
          {t("telegram.cancel")}
        </Button>
      </div>
    </form>
  );
}
