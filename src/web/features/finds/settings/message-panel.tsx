import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, Suspense, useId, useState } from "react";
import { advertiserMessage } from "#text/advertiser-message.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { useTouched } from "#web/lib/browser/use-touched.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";
import { useTexts, useWords, useWordsIn } from "#web/lib/i18n/use-texts.ts";
import { Panel } from "../../../components/panel.tsx";
import { lazyPart } from "../../../components/parts/lazy-part.tsx";
import { SubmitButton } from "../../../components/submit-button.tsx";
import { inputClasses } from "../../../components/text-field.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import type { ProfileAnswers } from "../find-settings.ts";
import { EXAMPLE_ANSWERS, EXAMPLE_HOME } from "./example-message.ts";
import { changedAnswers, LONGEST_PART, lengthOf, PROFILE_PARTS, type ProfilePart } from "./profile-parts.ts";

interface MessagePanelProps {
  userId: string;
  saved: ProfileAnswers;
}

/** What the message to advertisers says about the person, with a preview. */
export function MessagePanel({ userId, saved }: MessagePanelProps) {
  const t = useTexts("finds-settings");
  const common = useTexts("common");
  const form = useTouched(saved);
  const { value: typed } = form;
  const changes = changedAnswers(form.before, typed);
  const isChanged = Object.keys(changes.mine).length > 0;
  const save = useSaveProfile(userId, form.release);
  const isTooLong = PROFILE_PARTS.some((part) => lengthOf(typed[part]) > LONGEST_PART);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const first = PROFILE_PARTS.find((part) => lengthOf(typed[part]) > LONGEST_PART);
    const field = first && event.currentTarget.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
    else if (isChanged) save.run(changes);
  };
  return (
    <Panel isSpacious id="message" title={t("message.title")} description={t("message.description")}>
      <form noValidate onSubmit={onSubmit} className="grid gap-5">
        {PROFILE_PARTS.map((part) => (
          <Part
            key={part}
            part={part}
            text={typed[part]}
            onTyped={(text) => form.change({ ...typed, [part]: text })}
          />
        ))}
        {save.hasFailed && (
          <p role="alert" className="font-medium text-tile">
            {navigator.onLine ? t("message.failed") : common("parts.offlineUnsaved")}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SubmitButton
            isBusy={save.isBusy}
            busyText={t("saving")}
            variant={isChanged ? "lantern" : "outline"}
            aria-disabled={save.isBusy || !isChanged || isTooLong}
          >
            {t("message.save")}
          </SubmitButton>
          <p role="status" className="text-sm text-muted">
            {save.isSaved && !isChanged && t("saved")}
            {isChanged && !save.isBusy && t("message.unsaved")}
          </p>
        </div>
      </form>
      <Suspense fallback={<Skeleton className="h-72 rounded-2xl" />}>
        <Preview profile={typed} />
      </Suspense>
    </Panel>
  );
}

interface PartProps {
  part: ProfilePart;
  text: string;
  onTyped(text: string): void;
}

function Part({ part, text, onTyped }: PartProps) {
  const t = useTexts("finds-settings");
  const id = useId();
  const length = lengthOf(text);
  const isTooLong = length > LONGEST_PART;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[0.9375rem] font-semibold">
        {t(`message.parts.${part}`)}
      </label>
      <textarea
        id={id}
        name={part}
        rows={2}
        value={text}
        placeholder={EXAMPLE_ANSWERS[part]}
        aria-invalid={isTooLong}
        aria-describedby={`${id}-length`}
        onChange={({ target }) => onTyped(target.value)}
        className={cn(inputClasses, "field-sizing-content h-auto! min-h-20 py-3 leading-snug")}
      />
      <p
        id={`${id}-length`}
        className={cn(
          "figures text-sm",
          isTooLong ? "font-medium text-tile" : "text-muted",
          length === 0 && "sr-only",
        )}
      >
        {t(isTooLong ? "message.tooLong" : "message.length", { length, most: LONGEST_PART })}
      </p>
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
        className="rounded-2xl rounded-tl-sm bg-chat px-4 py-3 text-[0.9375rem] leading-relaxed whitespace-pre-line wrap-anywhere"
      >
        {advertiserMessage(said, spanish)}
      </p>
      {words.language !== "es" && (
        <details className="text-[0.9375rem]">
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

/** Writes only changed answers. */
function useSaveProfile(userId: string, onSaved: () => void) {
  const t = useTexts("finds-settings");
  const queries = useQueryClient();
  const [status, setStatus] = useState<"idle" | "pending" | "saved" | "asked" | "error">("idle");
  const save = async (changes: ReturnType<typeof changedAnswers>) => {
    try {
      const title = t("message.title");
      const outcome = await saveOrAsk({ kind: "settings", userId, ofId: userId, title, ...changes });
      await queries.invalidateQueries({ queryKey: queryKeys.findSettings(userId) });
      onSaved();
      setStatus(outcome);
    } catch (error) {
      logProblem("The message could not be saved", error);
      setStatus("error");
    }
  };
  return {
    isBusy: status === "pending",
    isSaved: status === "saved",
    hasFailed: status === "error",
    run: (changes: ReturnType<typeof changedAnswers>) => {
      if (status === "pending") return;
      setStatus("pending");
      void save(changes);
    },
  };
}
