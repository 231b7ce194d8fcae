/**
 * What the page shows, from its address and the person's searches alone:
 *
 * /filter-settings                 the wizard without a search, the only search, or the list of several
 * /filter-settings?search=<id>     that search
 * /filter-settings?search=new      the wizard for one search more, `&like=<id>` a copy of another one
 *
 * `&step=2` and `&step=3` are the steps of a wizard. The bot and mails link to `?search=<id>`.
 */
import { useState } from "react";
import { useSearchParams } from "react-router";
import { readDraft } from "#web/components/form/drafts.ts";
import { MOST_SEARCHES, type SavedSearch } from "#web/lib/backend/searches.ts";
import { FIRST_SEARCH, NEW_SEARCH } from "../form/search-form.ts";

export type FilterView = ListView | FormView;

interface ListView {
  kind: "list";
  isUnknown: boolean;
}

export interface FormView {
  kind: "form";
  /** Of the form, which stays the same form when its search is first in the address, or deleted elsewhere. */
  draftId: string;
  search: SavedSearch | null;
  isDeleted: boolean;
  deleted: SavedSearch | undefined;
  like: SavedSearch | undefined;
  isFirst: boolean;
  isUnknown: boolean;
}

/** Undefined until the searches are loaded. */
export function useView(
  userId: string,
  searches: readonly SavedSearch[] | undefined,
): FilterView | undefined {
  const [params] = useSearchParams();
  const [shown, setShown] = useState<SavedSearch>();
  if (!searches) return undefined;
  const view = viewOf(userId, searches, params, shown);
  const search = view.kind === "form" ? view.search : null;
  if (search && search !== shown) setShown(search);
  return view;
}

/** `shown` is the search that the page has shown last: it stays while what was typed about it can still be saved. */
function viewOf(
  userId: string,
  searches: readonly SavedSearch[],
  params: URLSearchParams,
  shown: SavedSearch | undefined,
): FilterView {
  const asked = params.get("search");
  const search = searches.find(({ id }) => id === asked);
  if (search) return formOf({ draftId: search.id, search });
  if (asked === NEW_SEARCH && searches.length > 0) return additionOf(userId, searches, params.get("like"));
  const isUnknown = asked !== null && asked !== NEW_SEARCH;
  const deleted = shown?.id === asked ? shown : undefined;
  if (isUnknown && (deleted || readDraft(userId, asked))) {
    const isFirst = searches.length === 0;
    return formOf({ draftId: asked, isDeleted: true, deleted, isFirst });
  }
  // The first search of another device does not close a form that was begun here.
  const isBegun = asked === null && readDraft(userId, FIRST_SEARCH) !== null;
  if (searches.length === 0 || isBegun) return formOf({ draftId: FIRST_SEARCH, isFirst: true, isUnknown });
  const [only] = searches;
  const isOnly = only && searches.length === 1;
  return isOnly ? formOf({ draftId: only.id, search: only, isUnknown }) : { kind: "list", isUnknown };
}

function additionOf(userId: string, searches: readonly SavedSearch[], likeId: string | null): FilterView {
  // Keep what was typed; the server refuses the save if there are too many.
  const isFull = searches.length >= MOST_SEARCHES && !readDraft(userId, NEW_SEARCH);
  if (isFull) return { kind: "list", isUnknown: false };
  return formOf({ draftId: NEW_SEARCH, like: searches.find(({ id }) => id === likeId) });
}

function formOf(facts: Partial<FormView> & Pick<FormView, "draftId">): FormView {
  const usual = { search: null, isDeleted: false, deleted: undefined, like: undefined } as const;
  return { kind: "form", ...usual, isFirst: false, isUnknown: false, ...facts };
}
