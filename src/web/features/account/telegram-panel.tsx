import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import type { ActionOptions } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Checkbox } from "../../components/form/checkbox.tsx";
import { Form, FormFooter } from "../../components/form/form.tsx";
import { OpensForm } from "../../components/form/opens-form.tsx";
import { PasswordField } from "../../components/form/password-field.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { Panel } from "../../components/panel.tsx";
import { allowTelegramLink, type ProvenOwner, type TelegramUser, unlinkTelegram } from "./account-calls.ts";
import { AccountFailure } from "./account-failure.tsx";

interface TelegramPanelProps {
  /** The Telegram user who can sign in; null if nobody can. */
  telegramUser: TelegramUser | null;
  hasPassword: boolean;
}

export function TelegramPanel({ telegramUser, hasPassword }: TelegramPanelProps) {
  const t = useTexts("account");
  const isLinked = telegramUser !== null;
  const isOnlyWay = isLinked && !hasPassword && !telegramUser.isBesideGoogle;
  return (
    <Panel id="telegram" title={t("telegram.title")} description={useDescription(telegramUser)}>
      <OpensForm
        text={isLinked ? t("telegram.disconnect") : t("telegram.open")}
        className="w-full sm:w-auto sm:justify-self-start"
        closed={(button) => !isOnlyWay && button}
      >
        {(close) => <ProofOfOwner isLinked={isLinked} hasPassword={hasPassword} onDone={close} />}
      </OpensForm>
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

/** Stays what it was opened for, whatever another device does meanwhile. */
function ProofOfOwner({ isLinked, ...form }: FormProps & { isLinked: boolean }) {
  const [isUnlinking] = useState(isLinked);
  return isUnlinking ? <UnlinkForm {...form} /> : <LinkForm {...form} />;
}

/** Leads to Telegram, which returns to this page. */
function LinkForm(props: FormProps) {
  const t = useTexts("account");
  const { linkWith } = useSession();
  return (
    <ProofForm
      {...props}
      run={(owner) =>
        linkWith("telegram", { path: "/profile", allow: (url) => allowTelegramLink(owner, url) })
      }
      failureTitle={t("telegram.failure.title")}
      submit={{ text: t("telegram.submit"), busyText: t("telegram.submitting") }}
    />
  );
}

function UnlinkForm(props: FormProps) {
  const t = useTexts("account");
  const queries = useQueryClient();
  const [isChatKept, setChatKept] = useState(false);
  return (
    <ProofForm
      {...props}
      run={(owner) => unlinkTelegram({ ...owner, isChatKept })}
      onSuccess={async () => {
        await queries.invalidateQueries();
        props.onDone();
        return t("telegram.disconnected", { returnObjects: true });
      }}
      failureTitle={t("telegram.disconnectFailure.title")}
      submit={{ text: t("telegram.confirmDisconnect"), busyText: t("telegram.disconnecting") }}
    >
      <Checkbox label={t("telegram.keepChat")} isChecked={isChatKept} onCheckedChange={setChatKept} />
    </ProofForm>
  );
}

interface ProofFormProps extends FormProps, Pick<ActionOptions<unknown, void>, "onSuccess"> {
  run(owner: ProvenOwner): Promise<void>;
  failureTitle: string;
  submit: { text: string; busyText: string };
  children?: ReactNode;
}

const EMPTY = { "current-password": "" };

/** Asks for the current password. An account without one is asked to sign in again if its last sign-in is too old. */
function ProofForm(props: ProofFormProps) {
  const { hasPassword, onDone, run, onSuccess, failureTitle, submit, children } = props;
  const t = useTexts("account");
  const email = useSession().user?.email ?? "";
  const form = useForm<typeof EMPTY>({
    saved: EMPTY,
    faultsOf: ({ "current-password": password }) => ({
      "current-password": hasPassword && password === "" ? t("telegram.passwordRequired") : null,
    }),
    run: ({ "current-password": password }) => run({ email, password: hasPassword ? password : undefined }),
    ...(onSuccess && { onSuccess }),
    failure: null,
  });
  return (
    <Form form={form} className="sm:max-w-96">
      {hasPassword && (
        <PasswordField
          {...form.field("current-password")}
          label={t("telegram.password")}
          autoComplete="current-password"
          autoFocus
        />
      )}
      {children}
      <FormFooter
        form={form}
        failure={form.error && <AccountFailure title={failureTitle} error={form.error} />}
        submit={submit.text}
        busyText={submit.busyText}
        cancel={{ text: t("telegram.cancel"), onCancel: onDone }}
      />
    </Form>
  );
}
