import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, Suspense, useState } from "react";
import { advertiserMessage } from "#text/advertiser-message.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { useTexts, useWords, useWordsIn } from "#web/lib/i18n/use-texts.ts";
import { useIsWaiting } from "#web/lib/offline/queue.ts";
import { sendOrQueue } from "#web/lib/offline/send-or-queue.ts";
import { BusyButton } from "../../../components/form/busy-button.tsx";
import { Form } from "../../../components/form/form.tsx";
import { Textarea } from "../../../components/form/text-field.tsx";
import { Panel } from "../../../components/panel.tsx";
import { lazyPart } from "../../../components/parts/lazy-part.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import type { ProfileAnswers } from "../find-settings.ts";
import { EXAMPLE_ANSWERS, EXAMPLE_HOME } from "./example-message.ts";
import {
  changedAnswers,
  followSaved,
  formOf,
  LONGEST_PART,
  lengthOf,
  PROFILE_PARTS,
  type ProfileForm,
  type ProfilePart,
  resolveConflict,
} from "./profile-form.ts";
import { QUEUED_PROFILE, unsavedForm } from "./queued-settings.ts";

interface MessagePanelProps {
  userId: string;
  saved: ProfileAnswers;
}

/** What the message to advertisers says about the person, with a preview. */
export function MessagePanel({ userId, saved }: MessagePanelProps) {
  const t = useTexts("finds-settings");
  const queries = useQueryClient();
  const [form, setForm] = useState(() => {
    const unsaved = unsavedForm(queries, userId);
    return unsaved ? followSaved(unsaved, saved) : formOf(saved);
  });
  if (PROFILE_PARTS.some((part) => saved[part] !== form.base[part])) setForm(followSaved(form, saved));
  const save = useSaveProfile(userId);
  const changes = changedAnswers(form);
  const isChanged = Object.keys(changes).length > 0;
  const isTooLong = PROFILE_PARTS.some((part) => lengthOf(form.typed[part]) > LONGEST_PART);
  const hasQuestion = Object.keys(form.elsewhere).length > 0;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const first = PROFILE_PARTS.find(
      (part) => lengthOf(form.typed[part]) > LONGEST_PART || part in form.elsewhere,
    );
    const field = first && event.currentTarget.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
    else if (isChanged) save.run(form);
  };
  return (
    <Panel isSpacious id="message" title={t("message.title")} description={t("message.description")}>
      <Form form={{ onSubmit }}>
        {PROFILE_PARTS.map((part) => (
          <Part
            key={part}
            part={part}
            form={form}
            onTyped={(text) => setForm({ ...form, typed: { ...form.typed, [part]: text } })}
            onSettle={(answer) => setForm(resolveConflict(form, part, answer))}
          />
        ))}
        {save.hasFailed && (
          <p role="alert" className="font-medium text-tile">
            {t("message.failed")}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <BusyButton
            type="submit"
            isBusy={save.isBusy}
            busyText={t("saving")}
            variant={isChanged ? "lantern" : "outline"}
            aria-disabled={save.isBusy || !isChanged || isTooLong || hasQuestion}
          >
            {t("message.save")}
          </BusyButton>
          <p role="status" className="text-sm text-muted">
            {save.isSaved && !isChanged && t("saved")}
            {save.isWaiting && t("willBeSaved")}
            {isChanged && !save.isBusy && !save.isWaiting && t("message.unsaved")}
          </p>
        </div>
      </Form>
      <Suspense fallback={<Skeleton className="h-72 rounded-2xl" />}>
        <Preview profile={form.typed} />
      </Suspense>
    </Panel>
  );
}

interface PartProps {
  part: ProfilePart;
  form: ProfileForm;
  onTyped(text: string): void;
  onSettle(answer: "mine" | "theirs"): void;
}

function Part({ part, form, onTyped, onSettle }: PartProps) {
  const t = useTexts("finds-settings");
  const length = lengthOf(form.typed[part]);
  const isTooLong = length > LONGEST_PART;
  const theirs = form.elsewhere[part];
  return (
    <div className="grid gap-1.5">
      <Textarea
        label={t(`message.parts.${part}`)}
        name={part}
        value={form.typed[part]}
        placeholder={EXAMPLE_ANSWERS[part]}
        hint={length === 0 ? undefined : t("message.length", { length, most: LONGEST_PART })}
        fault={isTooLong ? t("message.tooLong", { length, most: LONGEST_PART }) : undefined}
        onValueChange={onTyped}
      />
      {theirs !== undefined && (
        <Notice role="status">
          <p>{t("message.elsewhere")}</p>
          <p className="wrap-anywhere text-muted">{theirs === "" ? t("message.emptied") : theirs}</p>
          <div className="flex flex-wrap gap-2">
            <Button variant="outline" onClick={() => onSettle("mine")}>
              {t("message.keepMine")}
            </Button>
            <Button variant="outline" onClick={() => onSettle("theirs")}>
              {t("message.takeTheirs")}
            </Button>
          </div>
        </Notice>
      )}
    </div>
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

/** Writes only changed answers, and nothing if another device changed the same ones: the form then asks. */
function useSaveProfile(userId: string) {
  const queries = useQueryClient();
  const [status, setStatus] = useState<"idle" | "pending" | "sent" | "queued" | "error">("idle");
  const isWaiting = useIsWaiting((kind) => kind === QUEUED_PROFILE.kind);
  return {
    isBusy: status === "pending",
    isSaved: status === "sent" || (status === "queued" && !isWaiting),
    isWaiting,
    hasFailed: status === "error",
    run: (form: ProfileForm) => {
      if (status === "pending") return;
      setStatus("pending");
      sendOrQueue(queries, QUEUED_PROFILE, { userId, form }).then(setStatus, (error: unknown) => {
        logProblem("The message could not be saved", error);
        setStatus("error");
      });
    },
  };
}
