import { useQuery } from "@tanstack/react-query";
import type { OwnPlace } from "#core/finds/find.ts";
import { fetchSearches, type SavedSearch } from "#web/lib/backend/searches.ts";
import { useLanguage, useWordsLoader } from "#web/lib/i18n/use-texts.ts";
import { fetchPlaces, fetchProfile } from "./find-calls.ts";

const NO_PLACES: readonly OwnPlace[] = [];
const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function useSearches(userId: string): readonly SavedSearch[] | undefined {
  return useQuery({ queryKey: ["searches", userId], queryFn: () => fetchSearches(userId), retry: 1 }).data;
}

export function usePlaces(userId: string): readonly OwnPlace[] {
  const places = useQuery({ queryKey: ["own-places", userId], queryFn: () => fetchPlaces(userId) });
  return places.data ?? NO_PLACES;
}

/** Undefined until it is known. */
export function useProfile(userId: string) {
  return useQuery({ queryKey: ["find-settings", userId], queryFn: () => fetchProfile(userId) }).data;
}

/** What each search is called; empty where there is only one. The tables of places that name them are loaded for it. */
export function useSearchNames(searches: readonly SavedSearch[] | undefined): ReadonlyMap<string, string> {
  const language = useLanguage();
  const loadWords = useWordsLoader();
  const named = useQuery({
    queryKey: ["search-names", language, searches],
    enabled: (searches?.length ?? 0) > 1,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const [{ searchNameOf }, words] = await Promise.all([
        import("#web/lib/i18n/search-name.ts"),
        loadWords("search"),
      ]);
      return new Map((searches ?? []).map((search) => [search.id, searchNameOf(search, words)]));
    },
  });
  return named.data ?? NO_NAMES;
}
