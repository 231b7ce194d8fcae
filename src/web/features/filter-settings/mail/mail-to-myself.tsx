import { Mail, Send } from "lucide-react";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { providerOf } from "#web/lib/auth/providers.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useConfig } from "#web/lib/backend/config.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { mailAlertSteps } from "./mail-calls.ts";

/**
 * On a phone: the mailbox's own settings, where most of the steps are done, need a computer. An account without an
 * address gets the steps in its Telegram chat.
 */
export function MailToMyself() {
  const t = useTexts("alert-mails");
  const { user } = useSession();
  const email = user?.email ?? "";
  const canMail = useConfig()?.sendsMail ?? false;
  const isInChat = email === "" && providerOf(user) === "telegram";
  const way = isInChat ? "mailed.inChat" : "mailed";
  const { isBusy, run } = useAction({
    run: mailAlertSteps,
    onSuccess: () => ({
      title: t(`${way}.sent.title`),
      description: t(`${way}.sent.description`, { email }),
    }),
    failure: (error) => {
      if (codeOf(error) === "no-chat") return t("mailed.inChat.noChat", { returnObjects: true });
      return t(codeOf(error) === "too-many-mails" ? `${way}.tooMany` : `${way}.failed`, {
        returnObjects: true,
      });
    },
  });
  if (!isInChat && (!canMail || email === "")) return null;
  return (
    <div className="grid gap-3 rounded-xl border border-line bg-background p-4 sm:hidden">
      <p className="text-md">{t(`${way}.text`)}</p>
      <BusyButton
        variant="outline"
        className="justify-self-start"
        isBusy={isBusy}
        busyText={t("mailed.sending")}
        onClick={() => run()}
      >
        {isInChat ? <Send aria-hidden className="size-4.5" /> : <Mail aria-hidden className="size-4.5" />}
        {t(`${way}.button`)}
      </BusyButton>
    </div>
  );
}
