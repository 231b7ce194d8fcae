import type { Listing } from "#core/listing/listing.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { matches } from "#core/matching/match.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";

/**
 * The searches that a mail's listing matches: the search that the mail links to and those that certainly match; else those
 * that may match; else the first, because the user wants to be alerted to forwarded mails.
 */
export function chooseSearches<Search extends { readonly filterUrl: string }>(
  searches: readonly Search[],
  searchUrl: string | null,
  listing: Listing,
): readonly Search[] {
  if (searches.length <= 1) return searches;
  const wanted = parsedOf(searchUrl)?.searchKey;
  const facts = listingFactsOf(listing);
  const judged = searches.map((search) => {
    const parsed = parsedOf(search.filterUrl);
    const isNamed = parsed !== undefined && parsed.searchKey === wanted;
    return { search, answer: isNamed ? "yes" : parsed ? matches(parsed.search, facts) : "no" };
  });
  for (const answer of ["yes", "cannot-tell"]) {
    const chosen = judged.filter((one) => one.answer === answer).map(({ search }) => search);
    if (chosen.length > 0) return chosen;
  }
  return searches.slice(0, 1);
}

function parsedOf(url: string | null) {
  const parsed = url === null ? null : parseSearchUrl(url);
  return parsed?.ok ? parsed : undefined;
}
