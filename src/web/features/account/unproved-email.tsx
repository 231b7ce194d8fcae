import { useQuery } from "@tanstack/react-query";
import { useSession } from "#web/lib/auth/session.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { BusyButton } from "../../components/form/busy-button.tsx";
import { emailProofQuery, mailProofLink } from "./account-calls.ts";
import { AccountFailure } from "./account-failure.tsx";

/** One quiet line until the address is proved: what the proof adds, and the mail again. */
export function UnprovedEmail({ email }: { email: string }) {
  const t = useTexts("account");
  const language = useLanguage();
  const { user } = useSession();
  // The link may have been answered in another browser since this session was read.
  const { data: isProved } = useQuery({
    ...emailProofQuery(user?.id ?? ""),
    enabled: user !== null && user.email_confirmed_at === undefined,
  });
  const { isBusy, error, run } = useAction({
    run: () => mailProofLink(email, language),
    onSuccess: () => {
      const { title, description } = t("email.unproved.success", { returnObjects: true, email });
      return { title, description };
    },
    failure: null,
  });
  if (isProved !== false) return null;
  return (
    <div className="grid gap-2 pt-1">
      <p className="text-md text-muted">{t("email.unproved.text")}</p>
      {error && <AccountFailure title={t("email.unproved.failure.title")} error={error} />}
      <BusyButton
        variant="link"
        size="line"
        isBusy={isBusy}
        busyText={t("email.unproved.sending")}
        onClick={() => run()}
      >
        {t("email.unproved.send")}
      </BusyButton>
    </div>
  );
}
