import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { MOST_SEARCHES, type SavedSearch } from "#web/lib/backend/searches.ts";
import { NEW_SEARCH, readDraft } from "../form/draft-storage.ts";
import { pageKeyOf } from "../wizard/step-history.ts";

/**
 * What the page shows. Without a search in the address it is the only search, or the list of several:
 *
 * only ─► list   the person opens the page and has several; one that is added elsewhere does not replace an open form
 * list ─► only   all but one were deleted
 */
export type FilterView =
  | { kind: "list"; note: "unknown" | null }
  | {
      kind: "search";
      key: string;
      search: SavedSearch | null;
      draftId: string;
      isOnly: boolean;
      note: "unknown" | null;
    }
  | { kind: "new"; key: string; draftId: string; like: SavedSearch | undefined };

/** The page of the only search. It stays the same page when that search is first saved, or deleted elsewhere. */
interface OnlyPage {
  /** The history entry that it was opened with. */
  at: string;
  id: string | null;
  count: number;
}

/** Undefined until the searches are loaded. */
export function useView(userId: string, known: readonly SavedSearch[] | undefined): FilterView | undefined {
  const searches = known ?? [];
  const at = pageKeyOf(useLocation());
  const [params] = useSearchParams();
  const [only, setOnly] = useState<OnlyPage>({ at: "", id: null, count: 0 });
  const asked = params.get("search");
  const view = askedView(userId, searches, params);
  const isShown = known !== undefined && view === null && (searches.length <= 1 || only.at === at);
  const page = isShown ? nextPage(only, at, userId, searches) : only;
  useEffect(() => {
    if (page.at !== only.at || page.id !== only.id) setOnly(page);
  }, [page, only]);
  if (known === undefined) return undefined;
  if (view) return view;
  const note = asked === null || asked === NEW_SEARCH ? null : "unknown";
  if (!isShown) return { kind: "list", note };
  const search = searches.find(({ id }) => id === page.id) ?? null;
  const draftId = page.id ?? NEW_SEARCH;
  return { kind: "search", key: `only ${page.count}`, search, draftId, isOnly: true, note };
}

function askedView(
  userId: string,
  searches: readonly SavedSearch[],
  params: URLSearchParams,
): FilterView | null {
  const asked = params.get("search");
  if (asked === null) return null;
  if (asked === NEW_SEARCH) {
    if (searches.length === 0) return null;
    // Keep what was typed; the server refuses the save if there are too many.
    const isFull = searches.length >= MOST_SEARCHES && !readDraft(userId, NEW_SEARCH);
    if (isFull) return { kind: "list", note: null };
    const like = searches.find(({ id }) => id === params.get("like"));
    return { kind: "new", key: NEW_SEARCH, draftId: NEW_SEARCH, like };
  }
  const search = searches.find(({ id }) => id === asked) ?? null;
  // What was typed into a search that was deleted elsewhere can still be saved.
  if (!search && !readDraft(userId, asked)) return null;
  return { kind: "search", key: asked, search, draftId: asked, isOnly: false, note: null };
}

function nextPage(only: OnlyPage, at: string, userId: string, searches: readonly SavedSearch[]): OnlyPage {
  const isSamePage = only.at === at;
  const isHeld =
    isSamePage &&
    only.id !== null &&
    (searches.some(({ id }) => id === only.id) ||
      (searches.length > 0 && readDraft(userId, only.id) !== null));
  const id = isHeld ? only.id : (searches.find(({ isFirst }) => isFirst)?.id ?? null);
  const isContinued = isSamePage && (only.id === id || only.id === null || id === null);
  return { at, id, count: isContinued ? only.count : only.count + 1 };
}
