import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Trans } from "react-i18next";
import { localizedPath } from "#core/languages.ts";
import { Button } from "#web/components/ui/button.tsx";
import { expectSessionEnd, useSession } from "#web/lib/auth/session.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { dropDrafts } from "../../components/form/drafts.ts";
import { Form, FormFooter } from "../../components/form/form.tsx";
import { PasswordField } from "../../components/form/password-field.tsx";
import { TextField } from "../../components/form/text-field.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { Panel } from "../../components/panel.tsx";
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
          <ul className="grid list-disc gap-1.5 pl-5 text-md">
            <li>{t("delete.dialog.consequences.data")}</li>
            <li>{t("delete.dialog.consequences.chats")}</li>
            <li>{t("delete.dialog.consequences.devices")}</li>
          </ul>
          <div className="grid gap-2 text-md">
            <p>{t("delete.dialog.exportFirst")}</p>
            <DownloadButton />
          </div>
          <DeleteForm hasPassword={hasPassword} onClose={onClose} />
        </div>
      </DialogContent>
    </Dialog>
  );
}

const EMPTY = { word: "", "current-password": "" };

function DeleteForm({ hasPassword, onClose }: DeleteProps) {
  const t = useTexts("account");
  const word = t("delete.dialog.word");
  const form = useForm<typeof EMPTY>({
    saved: EMPTY,
    faultsOf: (typed) => ({
      word: isConfirmation(typed.word, word) ? null : t("delete.dialog.mismatch", { word }),
      "current-password":
        hasPassword && typed["current-password"] === "" ? t("delete.dialog.passwordRequired") : null,
    }),
    ...useDelete(hasPassword),
  });
  return (
    <Form form={form} className="border-t border-line pt-5">
      <p className="text-md">
        <Trans
          t={t}
          i18nKey="delete.dialog.prompt"
          values={{ word }}
          components={{ word: <strong className="font-mono tracking-wide" /> }}
        />
      </p>
      <TextField
        {...form.field("word")}
        label={t("delete.dialog.label")}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      {hasPassword && (
        <PasswordField
          {...form.field("current-password")}
          label={t("delete.dialog.password")}
          autoComplete="current-password"
        />
      )}
      <FormFooter
        form={form}
        failure={
          form.error && (
            <AccountFailure
              title={t("delete.failure.title")}
              error={form.error}
              otherwise={t("delete.failure.description")}
            />
          )
        }
        variant="destructive"
        submit={t("delete.dialog.submit")}
        busyText={t("delete.dialog.submitting")}
        cancel={{ text: t("delete.dialog.cancel"), onCancel: onClose }}
      />
    </Form>
  );
}

function useDelete(hasPassword: boolean) {
  const t = useTexts("account");
  const language = useLanguage();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const email = useSession().user?.email ?? "";
  return {
    run: async ({ "current-password": password }: typeof EMPTY) => {
      // The server ends the sessions together with the account, and this page may notice that first.
      expectSessionEnd(true);
      try {
        await deleteAccount({ email, password: hasPassword ? password : undefined });
      } catch (error) {
        expectSessionEnd(false);
        throw error;
      }
    },
    onSuccess: async () => {
      await navigate(localizedPath("/", language), { replace: true });
      await forgetAccount();
      queries.clear();
      dropDrafts();
      return t("delete.success", { returnObjects: true });
    },
    failure: null,
  };
}

export function DeletePanel({ hasPassword }: { hasPassword: boolean }) {
  const t = useTexts("account");
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel id="delete" title={t("delete.title")} description={t("delete.description")} isDestructive>
      <Button
        variant="danger"
        className="w-full sm:w-auto sm:justify-self-start"
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
