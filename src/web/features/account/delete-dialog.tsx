import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Trans } from "react-i18next";
import { localizedPath } from "#core/languages.ts";
import { Button } from "#web/components/ui/button.tsx";
import { expectSessionEnd, useSession } from "#web/lib/auth/session.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { Panel } from "../../components/panel.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { deleteAccount, forgetAccount } from "./account-calls.ts";
import { AccountFailure } from "./account-failure.tsx";
import { DownloadButton } from "./download-button.tsx";

interface DeleteProps {
  hasPassword: boolean;
  onClose(): void;
}

function DeleteDialog({ hasPassword, onClose }: DeleteProps) {
  const t = useTexts("account");
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent closeLabel={t("delete.dialog.cancel")}>
        <div className="grid gap-5">
          <div className="grid gap-1.5 pr-10">
            <DialogTitle className="text-2xl">{t("delete.dialog.title")}</DialogTitle>
            <DialogDescription className="font-semibold text-tile">
              {t("delete.dialog.description")}
            </DialogDescription>
          </div>
          <ul className="grid list-disc gap-1.5 pl-5 text-[0.9375rem]">
            <li>{t("delete.dialog.consequences.data")}</li>
            <li>{t("delete.dialog.consequences.chats")}</li>
            <li>{t("delete.dialog.consequences.devices")}</li>
          </ul>
          <div className="grid gap-2 text-[0.9375rem]">
            <p>{t("delete.dialog.exportFirst")}</p>
            <DownloadButton />
          </div>
          <DeleteForm hasPassword={hasPassword} onClose={onClose} />
        </div>
      </DialogContent>
    </Dialog>
  );
}

function DeleteForm({ hasPassword, onClose }: DeleteProps) {
  const t = useTexts("account");
  const word = t("delete.dialog.word");
  const [typed, setTyped] = useState("");
  const [password, setPassword] = useState("");
  const { isBusy, error, run } = useDelete(hasPassword ? password : undefined);
  const { faultOf, onSubmit } = useFaults(
    {
      word: isConfirmation(typed, word) ? null : t("delete.dialog.mismatch", { word }),
      "current-password": hasPassword && password === "" ? t("delete.dialog.passwordRequired") : null,
    },
    run,
  );
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4 border-t border-line pt-5">
      <p className="text-[0.9375rem]">
        <Trans
          t={t}
          i18nKey="delete.dialog.prompt"
          values={{ word }}
          components={{ word: <strong className="font-mono tracking-wide" /> }}
        />
      </p>
      <TextField
        label={t("delete.dialog.label")}
        name="word"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        fault={faultOf("word")}
        value={typed}
        onValueChange={setTyped}
      />
      {hasPassword && (
        <PasswordField
          label={t("delete.dialog.password")}
          name="current-password"
          autoComplete="current-password"
          fault={faultOf("current-password")}
          value={password}
          onValueChange={setPassword}
        />
      )}
      {error && (
        <AccountFailure
          title={t("delete.failure.title")}
          error={error}
          otherwise={t("delete.failure.description")}
        />
      )}
      <div className="grid gap-2 sm:grid-cols-2">
        <Button
          variant="outline"
          className="h-auto! min-h-11 px-3! py-2 whitespace-normal!"
          onClick={onClose}
        >
          {t("delete.dialog.cancel")}
        </Button>
        <SubmitButton
          variant="destructive"
          className="h-auto! min-h-11 px-3! py-2 whitespace-normal! sm:order-last"
          isBusy={isBusy}
          busyText={t("delete.dialog.submitting")}
        >
          {t("delete.dialog.submit")}
        </SubmitButton>
      </div>
    </form>
  );
}

function useDelete(password: string | undefined) {
  const t = useTexts("account");
  const language = useLanguage();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const email = useSession().user?.email ?? "";
  return useAction({
    run: async () => {
      // The server ends the sessions together with the account, and this page may notice that first.
      expectSessionEnd(true);
      try {
        await deleteAccount({ email, password });
      } catch (error) {
        expectSessionEnd(false);
        throw error;
      }
    },
    onSuccess: async () => {
      await navigate(localizedPath("/", language), { replace: true });
      await forgetAccount();
      queries.clear();
      return t("delete.success", { returnObjects: true });
    },
    failure: null,
  });
}

export function DeletePanel({ hasPassword }: { hasPassword: boolean }) {
  const t = useTexts("account");
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel id="delete" title={t("delete.title")} description={t("delete.description")} isDestructive>
      <Button
        variant="outline"
        className="w-full border-tile text-tile sm:w-auto sm:justify-self-start"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {t("delete.open")}
      </Button>
      {isOpen && <DeleteDialog hasPassword={hasPassword} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

const UMLAUTS: Record<string, string> = { Ä: "AE", Ö: "OE", Ü: "UE" };

/** Ignores case; "ü" and "ue" count as the same, because not every keyboard has umlauts. */
export function isConfirmation(typed: string, word: string): boolean {
  return plain(typed) === plain(word);
}

function plain(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .toUpperCase()
    .replaceAll(/[ÄÖÜ]/g, (letter) => UMLAUTS[letter] ?? letter);
}
