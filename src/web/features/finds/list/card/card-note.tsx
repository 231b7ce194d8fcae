import { type FormEvent, type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from "react";
import type { FoundHome } from "#core/finds/find.ts";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { Form } from "#web/components/form/form.tsx";
import { Textarea } from "#web/components/form/text-field.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { useIsNoteOpen, useListParts } from "../list-context.ts";

/** The database refuses longer notes. */
const LONGEST_NOTE = 2_000;

/** The person's note about a home, and the field to edit it. */
export function CardNote({ find }: { find: FoundHome }) {
  const t = useTexts("finds");
  if (useIsNoteOpen(find.homeId)) return <NoteForm find={find} />;
  if (find.note === null) return null;
  return (
    <p className="rounded-xl bg-ink/5 px-3 py-2 text-md leading-snug wrap-anywhere whitespace-pre-line">
      <span className="sr-only">{t("card.note")} </span>
      {find.note}
    </p>
  );
}

function NoteForm({ find }: { find: FoundHome }) {
  const t = useTexts("finds");
  const { marks, openNote } = useListParts();
  const [text, setText] = useState(find.note ?? "");
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  // The field comes first: focused within the press, so that a phone opens its keyboard.
  const areButtonsShown = useDeferredValue(true, false);
  const close = () => {
    // The field is removed with the focus in it, so the card takes the focus.
    field.current?.closest<HTMLElement>("[data-find]")?.focus();
    openNote.open(null);
  };
  const save = async (note: string | null) => {
    if (isBusy) return;
    setBusy(true);
    setFailed(false);
    const isSaved = await marks.note(find, note);
    setBusy(false);
    if (isSaved) close();
    else setFailed(true);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void save(text.trim() === "" ? null : text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSubmit(event);
  };
  return (
    <Form form={{ onSubmit }} className="relative z-10 py-1">
      <Textarea
        ref={field}
        label={t("note.label")}
        rows={3}
        maxLength={LONGEST_NOTE}
        value={text}
        placeholder={t("note.placeholder")}
        onValueChange={setText}
        onKeyDown={onKeyDown}
        className="max-h-60"
      />
      {hasFailed && <FailureNotice title={t("failed.title")} message={t("failed.text")} />}
      <div className="flex min-h-11 flex-wrap gap-2">
        {areButtonsShown && (
          <>
            <BusyButton type="submit" isBusy={isBusy} busyText={t("note.saving")}>
              {t("note.save")}
            </BusyButton>
            <Button variant="ghost" onClick={close}>
              {t("note.cancel")}
            </Button>
            {find.note !== null && (
              <Button variant="ghost" className="text-tile" onClick={() => void save(null)}>
                {t("note.remove")}
              </Button>
            )}
          </>
        )}
      </div>
    </Form>
  );
}
