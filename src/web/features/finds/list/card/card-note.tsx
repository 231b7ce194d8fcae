import { type KeyboardEvent, useDeferredValue, useEffect, useRef } from "react";
import type { FoundHome } from "#core/finds/find.ts";
import { Form, FormFooter } from "#web/components/form/form.tsx";
import { Textarea } from "#web/components/form/text-field.tsx";
import { useForm } from "#web/components/form/use-form.ts";
import { Button } from "#web/components/ui/button.tsx";
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
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  // The field comes first: focused within the press, so that a phone opens its keyboard.
  const areButtonsShown = useDeferredValue(true, false);
  const close = () => {
    // The field is removed with the focus in it, so the card takes the focus.
    field.current?.closest<HTMLElement>("[data-find]")?.focus();
    openNote.open(null);
  };
  const form = useForm({
    saved: { note: find.note ?? "" },
    keepAs: `note ${find.homeId}`,
    run: ({ note }, before) => marks.note(find, note.trim() || null, before.note || null),
    onSuccess: () => {
      close();
      return undefined;
    },
    failure: { title: t("failed.title"), description: t("failed.text") },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      form.discard();
      close();
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.run(form.values);
    }
  };
  return (
    <Form form={form} className="relative z-10 py-1">
      <Textarea
        {...form.field("note")}
        ref={field}
        label={t("note.label")}
        rows={3}
        maxLength={LONGEST_NOTE}
        placeholder={t("note.placeholder")}
        onKeyDown={onKeyDown}
        className="max-h-60"
      />
      {areButtonsShown ? (
        <FormFooter
          form={form}
          submit={t("note.save")}
          busyText={t("note.saving")}
          cancel={{ text: t("note.cancel"), onCancel: close }}
        >
          {find.note !== null && (
            <Button variant="ghost" className="text-tile" onClick={() => form.run({ note: "" })}>
              {t("note.remove")}
            </Button>
          )}
        </FormFooter>
      ) : (
        <div className="min-h-11" />
      )}
    </Form>
  );
}
