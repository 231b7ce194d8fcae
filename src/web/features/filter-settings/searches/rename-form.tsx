import { oneLine } from "#text/one-line.ts";
import { Form, FormFooter } from "#web/components/form/form.tsx";
import { TextField } from "#web/components/form/text-field.tsx";
import { useForm } from "#web/components/form/use-form.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { useChangeSearch } from "./change-search.ts";

/** The database refuses longer names. */
const LONGEST_NAME = 60;

interface RenameFormProps {
  userId: string;
  search: SavedSearch;
  /** The person's other searches. */
  others: readonly SavedSearch[];
  onDone(): void;
}

export function RenameForm({ userId, search, others, onDone }: RenameFormProps) {
  const t = useTexts("filter");
  const place = searchNameOf({ ...search, name: null }, useWords("search"), others);
  const change = useChangeSearch(userId);
  const form = useForm({
    saved: { name: search.name ?? "" },
    keepAs: `name of ${search.id}`,
    run: ({ name }, before) => change(search, { name: tidied(name) }, { name: before.name || null }),
    onSuccess: () => {
      onDone();
      return undefined;
    },
    failure: { title: t("messages.error"), description: t("searches.notChanged") },
  });
  const cancel = () => {
    form.discard();
    onDone();
  };
  return (
    <Form form={form}>
      <TextField
        {...form.field("name")}
        label={t("searches.name")}
        hint={t("searches.nameHint", { place })}
        autoComplete="off"
        autoFocus
        maxLength={LONGEST_NAME}
        placeholder={place}
        onKeyDown={(event) => event.key === "Escape" && cancel()}
      />
      <FormFooter
        form={form}
        submit={t("searches.saveName")}
        busyText={t("edit.saving")}
        cancel={{ text: t("searches.cancel"), onCancel: cancel }}
      />
    </Form>
  );
}

/** One line without invisible characters. An empty name means that the search is called by its place. */
function tidied(typed: string): string | null {
  const name = oneLine(typed).slice(0, LONGEST_NAME).trim();
  return name === "" ? null : name;
}
