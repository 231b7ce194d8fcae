import { Suspense, useEffect } from "react";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { useIdle } from "#web/lib/browser/use-idle.ts";
import { SearchFormContext } from "./form/search-form.ts";
import { type EditedSearch, useSearchFormState } from "./form/use-search-form.ts";
import { loadReview, Wizard } from "./wizard/wizard.tsx";

// Preloaded while a newcomer reads the first question of the wizard.
const loadEditForm = () => import("./edit/edit-form.tsx");
const EditForm = lazyPart(async () => (await loadEditForm()).EditForm);

interface SearchEditorProps extends EditedSearch {
  onSaved: Parameters<typeof useSearchFormState>[1];
  onDeleted(): void;
}

/** One form for a search: its parts are shown step by step until it is saved, and then all on one page. */
export function SearchEditor({ onSaved, onDeleted, ...edited }: SearchEditorProps) {
  const form = useSearchFormState(edited, onSaved);
  const isIdle = useIdle();
  useEffect(() => {
    if (isIdle) Promise.all([loadEditForm(), loadReview()]).catch(() => undefined);
  }, [isIdle]);
  const { search } = edited;
  return (
    <SearchFormContext value={form}>
      {search ? (
        <Suspense fallback={null}>
          <EditForm search={search} onDeleted={onDeleted} />
        </Suspense>
      ) : (
        <Wizard isFirst={edited.isFirst} isDeleted={edited.isDeleted} />
      )}
    </SearchFormContext>
  );
}
