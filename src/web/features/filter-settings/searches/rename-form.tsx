import { useState } from "react";
import { oneLine } from "#text/one-line.ts";
import { FormFailure } from "#web/components/failure-notice.tsx";
import { SubmitButton } from "#web/components/submit-button.tsx";
import { TextField } from "#web/components/text-field.tsx";
import { Button } from "#web/components/ui/button.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { useRename } from "./use-search-actions.ts";

/** The database refuses longer names. */
const LONGEST_NAME = 60;

interface RenameFormProps {
  userId: string;
  search: SavedSearch;
  onDone(): void;
}

export function RenameForm({ userId, search, onDone }: RenameFormProps) {
  const t = useTexts("filter");
  const place = searchNameOf({ ...search, name: null }, useWords("search"));
  const [typed, setTyped] = useState(search.name ?? "");
  const { isBusy, failure, run } = useRename(userId, search, onDone);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        run(tidied(typed));
      }}
      className="grid gap-3"
    >
      <TextField
        label={t("searches.name")}
        hint={t("searches.nameHint", { place })}
        name="name"
        autoComplete="off"
        autoFocus
        maxLength={LONGEST_NAME}
        placeholder={place}
        value={typed}
        onValueChange={setTyped}
        onKeyDown={(event) => event.key === "Escape" && onDone()}
      />
      <FormFailure failure={failure} />
      <div className="flex flex-wrap gap-2">
        <SubmitButton isBusy={isBusy} busyText={t("edit.saving")}>
          {t("searches.saveName")}
        </SubmitButton>
        <Button variant="ghost" onClick={onDone}>
          {t("searches.cancel")}
        </Button>
      </div>
    </form>
  );
}

/** One line without invisible characters. An empty name means that the search is called by its place. */
function tidied(typed: string): string | null {
  const name = oneLine(typed).slice(0, LONGEST_NAME).trim();
  return name === "" ? null : name;
}
