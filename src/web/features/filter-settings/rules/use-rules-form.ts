import type { Rule } from "#core/rules/rule-kinds.ts";
import { useForm } from "#web/components/form/use-form.ts";
import { useOwnPlaces } from "#web/lib/backend/own-places.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { useChangeSearch } from "../searches/change-search.ts";
import { type DraftLine, draftOf, faultOf, rulesOf } from "./rule-draft.ts";

interface Draft {
  /** The lines, and the saved rules that they began as. */
  draft: { rules: readonly Rule[]; lines: DraftLine[] };
}

export type RulesForm = ReturnType<typeof useRulesForm>;

/** The rules of a search as they are typed. The page's one Save saves them, with the rest of the page. */
export function useRulesForm(userId: string, search: SavedSearch) {
  const t = useTexts("rules");
  const places = useOwnPlaces(userId).data ?? [];
  const change = useChangeSearch(userId);
  const form = useForm<Draft, Awaited<ReturnType<typeof change>>>({
    keepAs: `rules ${search.id}`,
    saved: { draft: { rules: search.storedRules, lines: draftOf(search.rules) } },
    faultsOf: ({ draft: { lines } }) =>
      Object.fromEntries(lines.map((line) => [line.key, faultOf(line) ? line.key : null])),
    run: ({ draft }, before) =>
      change(search, { rules: rulesOf(draft.lines, places) }, { rules: before.draft.rules }),
    onSuccess: (saved) => saved && t("saved", { returnObjects: true }),
    failure: t("failure", { returnObjects: true }),
  });
  const { rules, lines } = form.values.draft;
  return {
    ...form,
    lines,
    places,
    hasFault: lines.some(faultOf),
    setLines: (next: DraftLine[]) => form.set({ draft: { rules, lines: next } }),
  };
}
