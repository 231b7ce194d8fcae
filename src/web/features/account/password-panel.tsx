import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { passwordFaultOf } from "#web/lib/auth/account-rules.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { type Faults, useFaults } from "#web/lib/browser/use-faults.ts";
import { useFocusOnClose } from "#web/lib/browser/use-focus-on-close.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { PASSWORD_MIN_LENGTH } from "#web/lib/site/constants.ts";
import { Panel } from "../../components/panel.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { changePassword } from "./account-calls.ts";
import { AccountFailure } from "./account-failure.tsx";

export function PasswordPanel({ hasPassword }: { hasPassword: boolean }) {
  const t = useTexts("account");
  const [isOpen, setOpen] = useState(false);
  const opener = useFocusOnClose(isOpen);
  const { user } = useSession();
  // A password is entered together with an address.
  const without = hasPassword || user?.email ? "none" : "needsEmail";
  return (
    <Panel
      id="password"
      title={t("password.title")}
      description={hasPassword ? t("password.description") : t(`password.${without}`)}
    >
      {without === "needsEmail" ? null : isOpen ? (
        <PasswordForm hasPassword={hasPassword} onDone={() => setOpen(false)} />
      ) : (
        <Button
          ref={opener}
          variant="outline"
          className="w-full sm:w-auto sm:justify-self-start"
          onClick={() => setOpen(true)}
        >
          {hasPassword ? t("password.open") : t("password.openNone")}
        </Button>
      )}
    </Panel>
  );
}

interface Typed {
  current: string;
  next: string;
  again: string;
}

function PasswordForm({ hasPassword, onDone }: { hasPassword: boolean; onDone(): void }) {
  const t = useTexts("account");
  const auth = useTexts("auth");
  const { user } = useSession();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Typed>({ current: "", next: "", again: "" });
  const save = useAction({
    run: () => changePassword(typed.next, hasPassword ? typed.current : undefined),
    onSuccess: () => {
      onDone();
      void queries.invalidateQueries({ queryKey: queryKeys.sessions(user?.id ?? "") });
      void queries.invalidateQueries({ queryKey: queryKeys.hasPassword(user?.id ?? "") });
      return t("password.success", { returnObjects: true });
    },
    failure: null,
  });
  const { faultOf, onSubmit } = useFaults(usePasswordFaults(typed, hasPassword), save.run);
  const type = (part: Partial<Typed>) => setTyped((current) => ({ ...current, ...part }));
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4 sm:max-w-96">
      {/* Tells password managers which account this is. */}
      <input hidden readOnly type="email" name="email" autoComplete="username" value={user?.email ?? ""} />
      {hasPassword && (
        <PasswordField
          label={t("password.current")}
          name="current-password"
          autoComplete="current-password"
          autoFocus
          fault={faultOf("current-password")}
          value={typed.current}
          onValueChange={(current) => type({ current })}
        />
      )}
      <PasswordField
        label={t("password.new")}
        placeholder={auth("fields.password.newPlaceholder", { count: PASSWORD_MIN_LENGTH })}
        name="new-password"
        autoComplete="new-password"
        autoFocus={!hasPassword}
        fault={faultOf("new-password")}
        value={typed.next}
        onValueChange={(next) => type({ next })}
      />
      <PasswordField
        label={t("password.confirm")}
        name="confirm-password"
        autoComplete="new-password"
        fault={faultOf("confirm-password")}
        value={typed.again}
        onValueChange={(again) => type({ again })}
      />
      {save.error && <AccountFailure title={t("password.failure.title")} error={save.error} />}
      <div className="flex flex-wrap gap-2">
        <SubmitButton isBusy={save.isBusy} busyText={t("password.saving")}>
          {t("password.save")}
        </SubmitButton>
        <Button variant="ghost" onClick={onDone}>
          {t("password.cancel")}
        </Button>
      </div>
    </form>
  );
}

function usePasswordFaults({ current, next, again }: Typed, hasPassword: boolean): Faults {
  const t = useTexts("account");
  const auth = useTexts("auth");
  const fault = passwordFaultOf(next);
  const nextFault =
    fault === "passwordRequired" ? t("password.newRequired") : fault && auth(`validation.${fault}`);
  const againFault = again === "" ? t("password.confirmRequired") : again !== next && t("password.mismatch");
  return {
    "current-password": hasPassword && current === "" ? t("password.currentRequired") : null,
    "new-password": nextFault,
    "confirm-password": againFault || null,
  };
}
