import { createContext, use } from "react";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import type { Chat } from "../chats/chat-calls.ts";
import type { Understanding } from "../search/understand-url.ts";

/** The names under which the drafts of unsaved searches are kept: of one search more, and of the first one. */
export const NEW_SEARCH = "new";
export const FIRST_SEARCH = "first";

export interface FilterValues {
  url: string;
  /** As typed: "501, -1002". */
  ids: string;
}

/** The form of a search, which the wizard shows step by step and the page of a search as a whole. */
export interface SearchForm {
  userId: string;
  /** Null until it is saved, and after it was deleted elsewhere. */
  search: SavedSearch | null;
  others: readonly SavedSearch[];
  values: FilterValues;
  /** The chats in the field. */
  ids: readonly string[];
  set(change: Partial<FilterValues>): void;
  discard(): void;
  /** Forgets what was typed, also for a reload. */
  drop(): void;
  isDirty: boolean;
  /** Why each field cannot be saved, in the person's language. */
  faults: { url: string | null; ids: string | null };
  save(): void;
  isBusy: boolean;
  /** Why it could not be saved. */
  failure: string | null;
  understanding: Understanding;
  chats: readonly Chat[] | undefined;
  /** Empty until the site's settings are loaded. */
  botUsername: string;
}

export const SearchFormContext = createContext<SearchForm | null>(null);

export function useSearchForm(): SearchForm {
  const form = use(SearchFormContext);
  if (!form) throw new Error("A part of the form of a search is shown outside of it");
  return form;
}
