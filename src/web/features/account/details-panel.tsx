import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { fullNameFaultOf } from "#web/lib/auth/account-rules.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useFocusOnClose } from "#web/lib/browser/use-focus-on-close.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FormFailure } from "../../components/failure-notice.tsx";
import { Panel } from "../../components/panel.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { Button } from "../../components/ui/button.tsx";
import type { Profile } from "./account-calls.ts";
import { AddEmail } from "./add-email.tsx";
import { changeProfile } from "./change-profile.ts";
import { UnprovedEmail } from "./unproved-email.tsx";

export function DetailsPanel({ profile }: { profile: Profile }) {
  const t = useTexts("account");
  const { user } = useSession();
  const [isEditing, setEditing] = useState(false);
  const edit = useFocusOnClose(isEditing);
  return (
    <Panel id="details" title={t("details.title")}>
      <dl className="grid gap-4">
        <div className="grid gap-2">
          <Term text={t("details.fullName")} />
          <dd>
            {isEditing ? (
              <NameForm fullName={profile.fullName} onDone={() => setEditing(false)} />
            ) : (
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <Value text={profile.fullName} />
                <Button ref={edit} variant="outline" onClick={() => setEditing(true)}>
                  {t("name.edit")}
                </Button>
              </div>
            )}
          </dd>
        </div>
        <div className="grid gap-1 border-t border-line pt-4">
          <Term text={t("details.email")} />
          <dd>
            {profile.email === null && !user?.email ? (
              <AddEmail notProvided={<Value text={null} />} />
            ) : (
              <>
                <Value text={profile.email} />
                {profile.email !== null && <UnprovedEmail email={profile.email} />}
              </>
            )}
          </dd>
        </div>
      </dl>
    </Panel>
  );
}

function Term({ text }: { text: string }) {
  return <dt className="text-sm text-muted">{text}</dt>;
}

function Value({ text }: { text: string | null }) {
  const t = useTexts("account");
  if (text === null) return <span className="text-muted">{t("details.notProvided")}</span>;
  return <span className="min-w-0 font-semibold wrap-anywhere">{text}</span>;
}

function NameForm({ fullName, onDone }: { fullName: string | null; onDone(): void }) {
  const t = useTexts("account");
  const queries = useQueryClient();
  const userId = useSession().user?.id ?? "";
  const [before] = useState(fullName);
  const [typed, setTyped] = useState(fullName ?? "");
  const name = typed.trim();
  const fault = fullNameFaultOf(name);
  const save = useAction({
    run: () =>
      changeProfile(queries, {
        userId,
        title: t("details.fullName"),
        before: { full_name: before },
        mine: { full_name: name },
      }),
    onSuccess: (outcome) => {
      onDone();
      if (outcome === "asked") return undefined;
      return { title: t("name.success.title"), description: t("name.success.description", { name }) };
    },
    failure: t("name.failure", { returnObjects: true }),
  });
  const faultText = fault === "fullNameRequired" ? t("name.required") : fault && t("name.tooLong");
  const { faultOf, onSubmit } = useFaults({ name: faultText }, save.run);
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-3">
      <TextField
        label={t("name.label")}
        name="name"
        autoComplete="name"
        required
        autoFocus
        fault={faultOf("name")}
        value={typed}
        onValueChange={setTyped}
      />
      <FormFailure failure={save.failure} />
      <div className="flex flex-wrap gap-2">
        <SubmitButton isBusy={save.isBusy} busyText={t("name.saving")}>
          {t("name.save")}
        </SubmitButton>
        <Button variant="ghost" onClick={onDone}>
          {t("name.cancel")}
        </Button>
      </div>
    </form>
  );
}
