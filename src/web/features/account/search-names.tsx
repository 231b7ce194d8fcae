import type { Health } from "#core/health/health-of.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { HealthLine } from "../../components/health-line.tsx";
import { LocalLink } from "../../components/local-link.tsx";

interface SearchNamesProps {
  /** All of the person, among which a name tells one apart. */
  searches: readonly SavedSearch[];
  shown: readonly SavedSearch[];
  healthOf(search: SavedSearch): Health | undefined;
}

export function SearchNames({ searches, shown, healthOf }: SearchNamesProps) {
  const t = useTexts("account");
  const words = useWords("search");
  return (
    <ul aria-label={t("filter.searches")} className="divide-y divide-line rounded-xl border border-line px-4">
      {shown.map((search) => (
        <li
          key={search.id}
          className="grid gap-x-4 pb-3 sm:flex sm:flex-wrap sm:items-center sm:justify-between sm:pb-0"
        >
          <LocalLink
            to={`/filter-settings?search=${search.id}`}
            className="inline-flex min-h-11 min-w-0 items-center py-2 leading-snug font-semibold wrap-anywhere decoration-ink/35 underline-offset-4 hover:underline"
          >
            {searchNameOf(search, words, searches)}
          </LocalLink>
          <HealthLine health={healthOf(search)} />
        </li>
      ))}
    </ul>
  );
}
