import { queryOptions, useQuery } from "@tanstack/react-query";
import type { OwnPlace } from "#core/finds/find.ts";
import { useOwnPlaces } from "#web/lib/backend/own-places.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { type SavedSearch, searchesQuery } from "#web/lib/backend/searches.ts";
import { useLanguage, useWordsLoader } from "#web/lib/i18n/use-texts.ts";
import { type ProfileAnswers, useFindSettings } from "./find-settings.ts";

const NO_PLACES: readonly OwnPlace[] = [];
const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function useSearches(userId: string): readonly SavedSearch[] | undefined {
  return useQuery(searchesQuery(userId)).data;
}

export function usePlaces(userId: string): readonly OwnPlace[] {
  return useOwnPlaces(userId).data ?? NO_PLACES;
}

/** What the message to an advertiser says about the person: undefined while loading, null if nothing is filled in. */
export function useProfile(userId: string): ProfileAnswers | null | undefined {
  const { data } = useFindSettings(userId);
  if (!data) return undefined;
  return Object.values(data.profile).some((answer) => answer !== "") ? data.profile : null;
}

/** The name of each search; empty with a single search. Names of places are loaded on demand. */
export function useSearchNames(searches: readonly SavedSearch[] | undefined): ReadonlyMap<string, string> {
  const language = useLanguage();
  const loadWords = useWordsLoader();
  const names = queryOptions({
    queryKey: queryKeys.searchNames(language, searches),
    enabled: (searches?.length ?? 0) > 1,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const [{ searchNameOf }, words] = await Promise.all([
        import("#web/lib/i18n/search-name.ts"),
        loadWords("search"),
      ]);
      return new Map((searches ?? []).map((search) => [search.id, searchNameOf(search, words, searches)]));
    },
  });
  return useQuery(names).data ?? NO_NAMES;
}
