import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { nameSearch } from "#text/describe-search.ts";
import type { Words } from "#text/namespaces.ts";
import type { SavedSearch } from "../backend/searches.ts";

export function searchNameOf(
  { name, url }: Pick<SavedSearch, "name" | "url">,
  words: Words<"search">,
): string {
  if (name !== null) return name;
  const parsed = parseSearchUrl(url);
  return parsed.ok ? nameSearch(parsed.search, words) : url;
}
