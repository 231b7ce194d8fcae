import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useFocusOnClose } from "#web/lib/browser/use-focus-on-close.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { Panel } from "../../components/panel.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { allowTelegramLink, type ProvenOwner, type TelegramUser, unlinkTelegram } from "./account-calls.ts";
import { AccountFailure } from "./account-failure.tsx";

interface TelegramPanelProps {
  /** The Telegram user who can sign in; null if nobody can. */
  telegramUser: TelegramUser | null;
  hasPassword: boolean;
}

export function TelegramPanel({ telegramUser, hasPassword }: TelegramPanelProps) {
  const t = useTexts("account");
  const [isOpen, setOpen] = useState(false);
  const opener = useFocusOnClose(isOpen);
  const isLinked = telegramUser !== null;
  const isOnlyWay = isLinked && !hasPassword && !telegramUser.isBesideGoogle;
  const Form = isLinked ? UnlinkForm : LinkForm;
  return (
    <Panel id="telegram" title={t("telegram.title")} description={useDescription(telegramUser)}>
      {isOpen && <Form hasPassword={hasPassword} onDone={() => setOpen(false)} />}
      {!(isOpen || isOnlyWay) && (
        <Button
          ref={opener}
          variant="outline"
          className="w-full sm:w-auto sm:justify-self-start"
          onClick={() => setOpen(true)}
        >
          {isLinked ? t("telegram.disconnect") : t("telegram.open")}
        </Button>
      )}
    </Panel>
  );
}

function useDescription(telegramUser: TelegramUser | null): string {
  const t = useTexts("account");
  if (telegramUser === null) return t("telegram.none");
  const { name } = telegramUser;
  return name === null ? t("telegram.linkedUnnamed") : t("telegram.linked", { name });
}

interface FormProps {
  hasPassword: boolean;
  onDone(): void;
}

/** Leads to Telegram, which returns to this page. */
function LinkForm(props: FormProps) {
  const t = useTexts("account");
  const { linkWith } = useSession();
  const link = useAction({
    run: (owner: ProvenOwner) =>
      linkWith("telegram", { path: "/profile", allow: (url) => allowTelegramLink(owner, url) }),
    failure: null,
  });
  return (
    <ProofForm
      {...props}
      {...link}
      failureTitle={t("telegram.failure.title")}
      submit={{ text: t("telegram.submit"), busyText: t("telegram.submitting") }}
    />
  );
}

function UnlinkForm(props: FormProps) {
  const t = useTexts("account");
  const queries = useQueryClient();
  const [isChatKept, setChatKept] = useState(false);
  const unlink = useAction({
    run: (owner: ProvenOwner) => unlinkTelegram({ ...owner, isChatKept }),
    onSuccess: async () => {
      await queries.invalidateQueries();
      props.onDone();
      return t("telegram.disconnected", { returnObjects: true });
    },
    failure: null,
  });
  return (
    <ProofForm
      {...props}
      {...unlink}
      failureTitle={t("telegram.disconnectFailure.title")}
      submit={{ text: t("telegram.confirmDisconnect"), busyText: t("telegram.disconnecting") }}
    >
      <Checkbox label={t("telegram.keepChat")} isChecked={isChatKept} onCheckedChange={setChatKept} />
    </ProofForm>
  );
}

interface ProofFormProps extends FormProps {
  run(owner: ProvenOwner): void;
  isBusy: boolean;
  error: Error | null;
  failureTitle: string;
  submit: { text: string; busyText: string };
  children?: ReactNode;
}

/** Asks for the current password. An account without one is asked to sign in again if its last sign-in is too old. */
function ProofForm(props: ProofFormProps) {
  const { hasPassword, onDone, run, isBusy, error, failureTitle, submit, children } = props;
  const t = useTexts("account");
  const email = useSession().user?.email ?? "";
  const [password, setPassword] = useState("");
  const { faultOf, onSubmit } = useFaults(
    { "current-password": hasPassword && password === "" ? t("telegram.passwordRequired") : null },
    () => run({ email, password: hasPassword ? password : undefined }),
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
      {children}
      {error && <AccountFailure title={failureTitle} error={error} />}
      <div className="flex flex-wrap gap-2">
        <SubmitButton isBusy={isBusy} busyText={submit.busyText}>
          {submit.text}
        </SubmitButton>
        <Button variant="ghost" onClick={onDone}>
          {t("telegram.cancel")}
        </Button>
      </div>
    </form>
  );
}
