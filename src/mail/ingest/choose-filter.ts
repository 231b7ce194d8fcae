import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";

/** The filter whose search a mail names, whatever its spelling; the first where it names none of them. */
export function chooseFilter<Filter extends { readonly filterUrl: string }>(
  filters: readonly Filter[],
  searchUrl: string | null,
): Filter | undefined {
  const wanted = searchKeyOf(searchUrl);
  const named =
    wanted === null ? undefined : filters.find(({ filterUrl }) => searchKeyOf(filterUrl) === wanted);
  return named ?? filters[0];
}

function searchKeyOf(url: string | null): string | null {
  const parsed = url === null ? null : parseSearchUrl(url);
  return parsed?.ok ? parsed.searchKey : null;
}
