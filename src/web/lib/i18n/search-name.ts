import type { Words } from "#text/namespaces.ts";
import { type SearchToName, searchNameAmong } from "#text/search-names.ts";

/** Among all searches of the person, whose names it must not share. They may still be loading. */
export function searchNameOf(
  search: SearchToName,
  words: Words<"search">,
  all: readonly SearchToName[] | undefined,
): string {
  return searchNameAmong(search, all ?? [], words)?.full ?? search.url;
}
