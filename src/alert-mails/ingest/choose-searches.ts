import type { Listing } from "#core/listing/listing.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { matches } from "#core/matching/match.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";

/**
 * The searches that get a mail's listing: every active one that may match it, because no feed brings the homes of other portals
 * later. If none may, the first active one, because the user wants to be alerted to forwarded mails. A paused search gets it only
 * if all are paused, and then without an alert.
 */
export function chooseSearches<Search extends { readonly filterUrl: string; readonly isPaused: boolean }>(
  searches: readonly Search[],
  searchUrl: string | null,
  listing: Listing,
): readonly Search[] {
  const active = searches.filter(({ isPaused }) => !isPaused);
  const asked = active.length > 0 ? active : searches;
  if (asked.length <= 1) return asked;
  const wanted = parsedOf(searchUrl)?.searchKey;
  const facts = listingFactsOf(listing);
  const chosen = asked.filter(({ filterUrl }) => {
    const parsed = parsedOf(filterUrl);
    return parsed !== undefined && (parsed.searchKey === wanted || matches(parsed.search, facts) !== "no");
  });
  return chosen.length > 0 ? chosen : asked.slice(0, 1);
}

function parsedOf(url: string | null) {
  const parsed = url === null ? null : parseSearchUrl(url);
  return parsed?.ok ? parsed : undefined;
}
