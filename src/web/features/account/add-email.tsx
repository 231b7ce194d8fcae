import { MailCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Trans } from "react-i18next";
import { emailFaultOf } from "#web/lib/auth/account-rules.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useFocusOnClose } from "#web/lib/browser/use-focus-on-close.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { SubmitButton } from "../../components/submit-button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { Button } from "../../components/ui/button.tsx";
import { addEmail } from "./account-calls.ts";
import { AccountFailure } from "./account-failure.tsx";

/** For an account without an address: asks for one, then waits until the link mailed there is opened. */
export function AddEmail({ notProvided }: { notProvided: ReactNode }) {
  const t = useTexts("account");
  const pending = useSession().user?.new_email ?? "";
  const [isOpen, setOpen] = useState(false);
  const opener = useFocusOnClose(isOpen);
  const open = () => setOpen(true);
  const add = (
    <Button ref={opener} variant="outline" className="w-full sm:w-auto sm:justify-self-start" onClick={open}>
      {t("email.add")}
    </Button>
  );
  return (
    <div className="grid gap-3">
      {!isOpen && notProvided}
      <p className="text-[0.9375rem] text-muted">{t("email.why")}</p>
      {isOpen && <EmailForm pending={pending} onDone={() => setOpen(false)} />}
      {!isOpen && (pending === "" ? add : <Pending email={pending} opener={opener} onChange={open} />)}
    </div>
  );
}

function useAddEmail(onSent: () => void) {
  const t = useTexts("account");
  const language = useLanguage();
  return useAction({
    run: (email: string) => addEmail(email, language),
    onSuccess: (_, email) => {
      onSent();
      const { title, description } = t("email.success", { returnObjects: true, email });
      return { title, description };
    },
    failure: null,
  });
}

function EmailForm({ pending, onDone }: { pending: string; onDone(): void }) {
  const t = useTexts("account");
  const auth = useTexts("auth");
  const [typed, setTyped] = useState(pending);
  const email = typed.trim();
  const { isBusy, error, run } = useAddEmail(onDone);
  const fault = emailFaultOf(email);
  const { faultOf, onSubmit } = useFaults({ email: fault && auth(`validation.${fault}`) }, () => run(email));
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-3 sm:max-w-96">
      <TextField
        label={t("email.label")}
        placeholder={auth("fields.email.placeholder")}
        name="email"
        type="email"
        autoComplete="email"
        inputMode="email"
        required
        autoFocus
        fault={faultOf("email")}
        value={typed}
        onValueChange={setTyped}
      />
      {error && <AccountFailure title={t("email.failure.title")} error={error} />}
      <div className="flex flex-wrap gap-2">
        <SubmitButton isBusy={isBusy} busyText={t("email.sending")}>
          {t("email.send")}
        </SubmitButton>
        <Button variant="ghost" onClick={onDone}>
          {t("email.cancel")}
        </Button>
      </div>
    </form>
  );
}

interface PendingProps {
  email: string;
  opener: ReturnType<typeof useFocusOnClose>;
  onChange(): void;
}

function Pending({ email, opener, onChange }: PendingProps) {
  const t = useTexts("account");
  const { isBusy, error, run } = useAddEmail(() => undefined);
  return (
    <div className="grid gap-3 rounded-xl border border-line bg-background p-4">
      <p className="flex gap-2.5 font-semibold">
        <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
        {t("email.pendingTitle")}
      </p>
      <p className="text-[0.9375rem] wrap-anywhere">
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
        <SubmitButton
          type="button"
          variant="outline"
          className="w-full sm:w-auto"
          isBusy={isBusy}
          busyText={t("email.sending")}
          onClick={() => run(email)}
        >
          {t("email.again")}
        </SubmitButton>
        <Button ref={opener} variant="ghost" className="w-full sm:w-auto" onClick={onChange}>
          {t("email.change")}
        </Button>
      </div>
    </div>
  );
}
