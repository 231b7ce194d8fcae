import { BusyButton } from "#web/components/form/busy-button.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { Notice } from "#web/components/ui/notice.tsx";
import { authFailureOf } from "#web/lib/auth/auth-failure.ts";
import { PROVIDERS, providerOf } from "#web/lib/auth/providers.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

interface AccountFailureProps {
  error: Error;
  title: string;
  /** Shown if the server gives no reason. */
  otherwise?: string;
}

/** Why the account was not changed, and how to continue if the server asks the owner to confirm. */
export function AccountFailure({ error, title, otherwise }: AccountFailureProps) {
  const t = useTexts("auth");
  if (codeOf(error) === "reauthentication_needed") return <ProviderConfirmation />;
  const { message, reasons } = authFailureOf(error, t);
  const isUnexpected = otherwise !== undefined && message === t("errors.unexpected");
  return <FailureNotice title={title} message={isUnexpected ? otherwise : message} reasons={reasons} />;
}

/** For an account without a password: signing in with its provider confirms the owner and returns to this page. */
function ProviderConfirmation() {
  const t = useTexts("account");
  const { user, confirmWith } = useSession();
  const service = providerOf(user);
  const provider = PROVIDERS[service].name;
  const { isBusy, run } = useAction({
    run: () => confirmWith(service, "/profile"),
    failure: {
      title: t("confirm.failure.title", { provider }),
      description: t("confirm.failure.description"),
    },
  });
  return (
    <Notice role="alert" tone="quiet">
      <p>{t("confirm.prompt", { provider })}</p>
      <BusyButton
        variant="outline"
        className="justify-self-start"
        isBusy={isBusy}
        busyText={t("confirm.button", { provider })}
        onClick={() => run()}
      >
        {t("confirm.button", { provider })}
      </BusyButton>
    </Notice>
  );
}
