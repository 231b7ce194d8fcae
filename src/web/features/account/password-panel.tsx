import { useQueryClient } from "@tanstack/react-query";
import { passwordFaultOf } from "#web/lib/auth/account-rules.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { PASSWORD_MIN_LENGTH } from "#web/lib/site/constants.ts";
import { AccountOfPassword, Form, FormFooter } from "../../components/form/form.tsx";
import { OpensForm } from "../../components/form/opens-form.tsx";
import { PasswordField } from "../../components/form/password-field.tsx";
import type { Faults } from "../../components/form/use-faults.ts";
import { useForm } from "../../components/form/use-form.ts";
import { Panel } from "../../components/panel.tsx";
import { changePassword } from "./account-calls.ts";
import { AccountFailure } from "./account-failure.tsx";

export function PasswordPanel({ hasPassword }: { hasPassword: boolean }) {
  const t = useTexts("account");
  const { user } = useSession();
  // A password is entered together with an address.
  const without = hasPassword || user?.email ? "none" : "needsEmail";
  return (
    <Panel
      id="password"
      title={t("password.title")}
      description={hasPassword ? t("password.description") : t(`password.${without}`)}
    >
      {without === "none" && (
        <OpensForm
          text={hasPassword ? t("password.open") : t("password.openNone")}
          className="w-full sm:w-auto sm:justify-self-start"
        >
          {(close) => <PasswordForm hasPassword={hasPassword} onDone={close} />}
        </OpensForm>
      )}
    </Panel>
  );
}

const EMPTY = { "current-password": "", "new-password": "", "confirm-password": "" };

function PasswordForm({ hasPassword, onDone }: { hasPassword: boolean; onDone(): void }) {
  const t = useTexts("account");
  const auth = useTexts("auth");
  const { user } = useSession();
  const queries = useQueryClient();
  const form = useForm({
    saved: EMPTY,
    faultsOf: usePasswordFaults(hasPassword),
    run: (typed) =>
      changePassword(typed["new-password"], hasPassword ? typed["current-password"] : undefined),
    onSuccess: () => {
      onDone();
      void queries.invalidateQueries({ queryKey: queryKeys.sessions(user?.id ?? "") });
      void queries.invalidateQueries({ queryKey: queryKeys.hasPassword(user?.id ?? "") });
      return t("password.success", { returnObjects: true });
    },
    failure: null,
  });
  return (
    <Form form={form} className="sm:max-w-96">
      <AccountOfPassword email={user?.email ?? ""} />
      {hasPassword && (
        <PasswordField
          {...form.field("current-password")}
          label={t("password.current")}
          autoComplete="current-password"
          autoFocus
        />
      )}
      <PasswordField
        {...form.field("new-password")}
        label={t("password.new")}
        placeholder={auth("fields.password.newPlaceholder", { count: PASSWORD_MIN_LENGTH })}
        autoComplete="new-password"
        autoFocus={!hasPassword}
      />
      <PasswordField
        {...form.field("confirm-password")}
        label={t("password.confirm")}
        autoComplete="new-password"
      />
      <FormFooter
        form={form}
        failure={form.error && <AccountFailure title={t("password.failure.title")} error={form.error} />}
        submit={t("password.save")}
        busyText={t("password.saving")}
        cancel={{ text: t("password.cancel"), onCancel: onDone }}
      />
    </Form>
  );
}

function usePasswordFaults(hasPassword: boolean): (typed: typeof EMPTY) => Faults {
  const t = useTexts("account");
  const auth = useTexts("auth");
  return ({ "current-password": current, "new-password": next, "confirm-password": again }) => {
    const fault = passwordFaultOf(next);
    const nextFault =
      fault === "passwordRequired" ? t("password.newRequired") : fault && auth(`validation.${fault}`);
    const againFault =
      again === "" ? t("password.confirmRequired") : again !== next && t("password.mismatch");
    return {
      "current-password": hasPassword && current === "" ? t("password.currentRequired") : null,
      "new-password": nextFault,
      "confirm-password": againFault || null,
    };
  };
}
