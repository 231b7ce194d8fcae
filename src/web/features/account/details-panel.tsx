import { useQueryClient } from "@tanstack/react-query";
import { fullNameFaultOf } from "#web/lib/auth/account-rules.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Form, FormFooter } from "../../components/form/form.tsx";
import { OpensForm } from "../../components/form/opens-form.tsx";
import { TextField } from "../../components/form/text-field.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { Panel } from "../../components/panel.tsx";
import type { Profile } from "./account-calls.ts";
import { AddEmail } from "./add-email.tsx";
import { changeProfile } from "./change-profile.ts";
import { UnprovedEmail } from "./unproved-email.tsx";

export function DetailsPanel({ profile }: { profile: Profile }) {
  const t = useTexts("account");
  const { user } = useSession();
  return (
    <Panel id="details" title={t("details.title")}>
      <dl className="grid gap-4">
        <div className="grid gap-2">
          <Term text={t("details.fullName")} />
          <dd>
            <OpensForm
              text={t("name.edit")}
              closed={(button) => (
                <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                  <Value text={profile.fullName} />
                  {button}
                </div>
              )}
            >
              {(close) => <NameForm fullName={profile.fullName} onDone={close} />}
            </OpensForm>
          </dd>
        </div>
        <div className="grid gap-1 border-t border-line pt-4">
          <Term text={t("details.email")} />
          <dd>
            <AddEmail isMissing={profile.email === null && !user?.email}>
              <Value text={profile.email} />
              {profile.email !== null && <UnprovedEmail email={profile.email} />}
            </AddEmail>
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
  const form = useForm({
    saved: { name: fullName ?? "" },
    keepAs: "name",
    faultsOf: ({ name }) => {
      const fault = fullNameFaultOf(name.trim());
      return { name: fault === "fullNameRequired" ? t("name.required") : fault && t("name.tooLong") };
    },
    run: ({ name }, before) =>
      changeProfile(queries, {
        userId,
        title: t("details.fullName"),
        before: { full_name: before.name || null },
        mine: { full_name: name.trim() },
      }),
    onSuccess: (outcome, { name }) => {
      onDone();
      if (outcome === "asked") return undefined;
      return {
        title: t("name.success.title"),
        description: t("name.success.description", { name: name.trim() }),
      };
    },
    failure: t("name.failure", { returnObjects: true }),
  });
  return (
    <Form form={form}>
      <TextField {...form.field("name")} label={t("name.label")} autoComplete="name" required autoFocus />
      <FormFooter
        form={form}
        submit={t("name.save")}
        busyText={t("name.saving")}
        cancel={{ text: t("name.cancel"), onCancel: onDone }}
      />
    </Form>
  );
}
