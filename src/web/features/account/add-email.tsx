import { MailCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Trans } from "react-i18next";
import { emailFaultOf } from "#web/lib/auth/account-rules.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { BusyButton } from "../../components/form/busy-button.tsx";
import { Form, FormFooter } from "../../components/form/form.tsx";
import { OpensForm } from "../../components/form/opens-form.tsx";
import { TextField } from "../../components/form/text-field.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { Notice } from "../../components/ui/notice.tsx";
import { addEmail } from "./account-calls.ts";
import { AccountFailure } from "./account-failure.tsx";

/** The address. An account without one is asked for it, then waits until the link mailed there is opened. */
export function AddEmail({ isMissing, children }: { isMissing: boolean; children: ReactNode }) {
  const t = useTexts("account");
  const pending = useSession().user?.new_email ?? "";
  const isAsked = pending !== "";
  return (
    <OpensForm
      text={isAsked ? t("email.change") : t("email.add")}
      variant={isAsked ? "ghost" : "outline"}
      className="w-full sm:w-auto sm:justify-self-start"
      closed={(button) =>
        isMissing ? (
          <div className="grid gap-3">
            {children}
            <p className="text-md text-muted">{t("email.why")}</p>
            {isAsked ? <Pending email={pending}>{button}</Pending> : button}
          </div>
        ) : (
          children
        )
      }
    >
      {(close) => (
        <div className="grid gap-3">
          <p className="text-md text-muted">{t("email.why")}</p>
          <EmailForm pending={pending} onDone={close} />
        </div>
      )}
    </OpensForm>
  );
}

/** Mails the link that adds the address. */
function useMailing() {
  const t = useTexts("account");
  const language = useLanguage();
  return {
    run: (email: string) => addEmail(email, language),
    sent: (email: string) => {
      const { title, description } = t("email.success", { returnObjects: true, email });
      return { title, description };
    },
  };
}

function EmailForm({ pending, onDone }: { pending: string; onDone(): void }) {
  const t = useTexts("account");
  const auth = useTexts("auth");
  const mailing = useMailing();
  const form = useForm({
    saved: { email: pending },
    keepAs: "email",
    faultsOf: ({ email }) => {
      const fault = emailFaultOf(email.trim());
      return { email: fault && auth(`validation.${fault}`) };
    },
    run: ({ email }) => mailing.run(email.trim()),
    onSuccess: (_, { email }) => {
      onDone();
      return mailing.sent(email.trim());
    },
    failure: null,
  });
  return (
    <Form form={form} className="sm:max-w-96">
      <TextField
        {...form.field("email")}
        label={t("email.label")}
        placeholder={auth("fields.email.placeholder")}
        type="email"
        autoComplete="email"
        inputMode="email"
        required
        autoFocus
      />
      <FormFooter
        form={form}
        failure={form.error && <AccountFailure title={t("email.failure.title")} error={form.error} />}
        submit={t("email.send")}
        busyText={t("email.sending")}
        cancel={{ text: t("email.cancel"), onCancel: onDone }}
      />
    </Form>
  );
}

/** Waits for the answer to the mail. The child changes the address. */
function Pending({ email, children }: { email: string; children: ReactNode }) {
  const t = useTexts("account");
  const mailing = useMailing();
  const { isBusy, error, run } = useAction({
    run: mailing.run,
    onSuccess: (_, sent) => mailing.sent(sent),
    failure: null,
  });
  return (
    <Notice tone="quiet" icon={MailCheck} title={t("email.pendingTitle")}>
      <p className="text-md wrap-anywhere">
        <Trans
          t={t}
          i18nKey="email.pendingText"
          values={{ email }}
          components={{ address: <strong className="font-semibold" /> }}
        />
      </p>
      <p className="text-sm text-muted">{t("email.pendingHint")}</p>
      {error && <AccountFailure title={t("email.failure.title")} error={error} />}
      <div className="flex flex-wrap gap-2">
        <BusyButton
          variant="outline"
          className="w-full sm:w-auto"
          isBusy={isBusy}
          busyText={t("email.sending")}
          onClick={() => run(email)}
        >
          {t("email.again")}
        </BusyButton>
        {children}
      </div>
    </Notice>
  );
}
