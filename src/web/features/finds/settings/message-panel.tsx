import { useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, type FormEvent, Suspense } from "react";
import { advertiserMessage } from "#text/advertiser-message.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";
import { useTexts, useWords, useWordsIn } from "#web/lib/i18n/use-texts.ts";
import { BusyButton } from "../../../components/form/busy-button.tsx";
import { Form } from "../../../components/form/form.tsx";
import { Textarea } from "../../../components/form/text-field.tsx";
import { useForm } from "../../../components/form/use-form.ts";
import { Panel } from "../../../components/panel.tsx";
import { lazyPart } from "../../../components/parts/lazy-part.tsx";
import { FormFailure } from "../../../components/ui/failure-notice.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import type { ProfileAnswers } from "../find-settings.ts";
import { EXAMPLE_ANSWERS, EXAMPLE_HOME } from "./example-message.ts";
import { changedAnswers, LONGEST_PART, lengthOf, PROFILE_PARTS, type ProfilePart } from "./profile-parts.ts";

type SettingsTexts = ReturnType<typeof useTexts<"finds-settings">>;

interface MessagePanelProps {
  userId: string;
  saved: ProfileAnswers;
}

/** What the message to advertisers says about the person, with a preview. */
export function MessagePanel({ userId, saved }: MessagePanelProps) {
  const t = useTexts("finds-settings");
  const form = useMessageForm(userId, saved);
  const { values: typed } = form;
  const isChanged = Object.keys(changedAnswers(saved, typed).mine).length > 0;
  const isSaved = form.data !== undefined && form.data !== "asked";
  const isTooLong = PROFILE_PARTS.some((part) => lengthOf(typed[part]) > LONGEST_PART);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (isChanged) form.onSubmit(event);
    else event.preventDefault();
  };
  return (
    <Panel isSpacious id="message" title={t("message.title")} description={t("message.description")}>
      <Form form={{ onSubmit }}>
        {PROFILE_PARTS.map((part) => (
          <Part key={part} part={part} field={form.field(part)} />
        ))}
        <FormFailure failure={form.failure} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <BusyButton
            type="submit"
            isBusy={form.isBusy}
            busyText={t("saving")}
            variant={isChanged ? "lantern" : "outline"}
            aria-disabled={form.isBusy || !isChanged || isTooLong}
          >
            {t("message.save")}
          </BusyButton>
          <p role="status" className="text-sm text-muted">
            {isSaved && !isChanged && t("saved")}
            {isChanged && !form.isBusy && t("message.unsaved")}
          </p>
        </div>
      </Form>
      <Suspense fallback={<Skeleton className="h-72 rounded-2xl" />}>
        <Preview profile={typed} />
      </Suspense>
    </Panel>
  );
}

/** Writes only changed answers. */
function useMessageForm(userId: string, saved: ProfileAnswers) {
  const t = useTexts("finds-settings");
  const queries = useQueryClient();
  return useForm<ProfileAnswers, unknown>({
    saved,
    keepAs: "message",
    faultsOf: (typed) =>
      Object.fromEntries(PROFILE_PARTS.map((part) => [part, tooLongFault(typed[part], t) ?? null])),
    run: async (typed, before) => {
      const outcome = await saveOrAsk({
        ...{ kind: "settings", userId, ofId: userId, title: t("message.title") },
        ...changedAnswers(before, typed),
      });
      await queries.invalidateQueries({ queryKey: queryKeys.findSettings(userId) });
      return outcome;
    },
    failure: { title: t("message.title"), description: t("message.failed") },
  });
}

function tooLongFault(text: string, t: SettingsTexts): string | undefined {
  const length = lengthOf(text);
  return length > LONGEST_PART ? t("message.tooLong", { length, most: LONGEST_PART }) : undefined;
}

interface PartProps {
  part: ProfilePart;
  field: Pick<ComponentProps<typeof Textarea>, "name" | "value" | "onValueChange">;
}

function Part({ part, field }: PartProps) {
  const t = useTexts("finds-settings");
  const length = lengthOf(field.value);
  return (
    <Textarea
      {...field}
      label={t(`message.parts.${part}`)}
      placeholder={EXAMPLE_ANSWERS[part]}
      hint={length === 0 ? undefined : t("message.length", { length, most: LONGEST_PART })}
      fault={tooLongFault(field.value, t)}
    />
  );
}

/** The message for an example home, in Spanish and in the person's language. */
const Preview = lazyPart(async () => LoadedPreview, { namespaces: ["home"], language: "es" });

function LoadedPreview({ profile }: { profile: ProfileAnswers }) {
  const t = useTexts("finds-settings");
  const spanish = useWordsIn("es", "home");
  const words = useWords("home");
  const said = { home: EXAMPLE_HOME, profile };
  return (
    <section aria-labelledby="message-preview" className="grid gap-3 border-t border-line pt-5">
      <h3 id="message-preview" className="text-base">
        {t("message.preview")}
      </h3>
      <p
        lang="es"
        className="rounded-2xl rounded-tl-sm bg-chat px-4 py-3 text-md leading-relaxed whitespace-pre-line wrap-anywhere"
      >
        {advertiserMessage(said, spanish)}
      </p>
      {words.language !== "es" && (
        <details className="text-md">
          <summary className="min-h-11 cursor-pointer content-center font-semibold">
            {t("message.translated")}
          </summary>
          <p className="pt-1 leading-relaxed whitespace-pre-line text-muted wrap-anywhere">
            {advertiserMessage(said, words)}
          </p>
        </details>
      )}
    </section>
  );
}
