import { PencilLine } from "lucide-react";
import { OpensForm } from "#web/components/form/opens-form.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { RenameForm } from "./rename-form.tsx";

/** A button that opens the form for the name of a search. */
export function RenameSearch({ userId, search }: { userId: string; search: SavedSearch }) {
  const t = useTexts("filter");
  const text =
    search.name === null ? t("searches.giveName") : t("searches.renameNamed", { name: search.name });
  return (
    <OpensForm
      variant="link"
      size="line"
      className="-my-2"
      text={
        <>
          <PencilLine aria-hidden className="size-4" />
          {text}
        </>
      }
    >
      {(close) => <RenameForm userId={userId} search={search} onDone={close} />}
    </OpensForm>
  );
}
