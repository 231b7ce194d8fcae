import { useForm } from "#web/components/form/use-form.ts";
import { useOwnPlaces } from "#web/lib/backend/own-places.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { useChangeSearch } from "../searches/queued-search.ts";
import { useShowSearch } from "../searches/use-search-actions.ts";
import { type DraftLine, draftOf, faultOf, rulesOf } from "./rule-draft.ts";

export type RulesForm = ReturnType<typeof useRulesForm>;

/** The rules of a search as they are typed. The page's one Save saves them, with the rest of the page. */
export function useRulesForm(userId: string, search: SavedSearch) {
  const t = useTexts("rules");
  const places = useOwnPlaces(userId).data ?? [];
  const showSearch = useShowSearch(userId);
  const change = useChangeSearch(userId, search);
  const form = useForm<{ lines: DraftLine[] }, Awaited<ReturnType<typeof change>>>({
    saved: { lines: draftOf(search.rules) },
    faultsOf: ({ lines }) =>
      Object.fromEntries(lines.map((line) => [line.key, faultOf(line) ? line.key : null])),
    run: ({ lines }, before) =>
      change({ rules: rulesOf(lines, places) }, { ...search, rules: rulesOf(before.lines, places) }),
    onSuccess: ({ saved }) => {
      showSearch(saved);
      return t("saved", { returnObjects: true });
    },
    failure: t("failure", { returnObjects: true }),
  });
  const { lines } = form.values;
  return {
    ...form,
    lines,
    places,
    hasFault: lines.some(faultOf),
    setLines: (next: DraftLine[]) => form.set({ lines: next }),
  };
}
