import { createContext, useContext } from "react";
import type { Find, OwnPlace } from "#core/finds/find.ts";
import type { Marks } from "./use-marks.ts";

/** What all cards of a list share. */
export interface ListParts {
  marks: Marks;
  places: readonly OwnPlace[];
  /** Empty with a single search. */
  searchNames: ReadonlyMap<string, string>;
  /** The address that opens a home. */
  homeAddress(find: Find): string;
  /** The home whose note is being edited. */
  noteOf: string | null;
  setNoteOf(homeId: string | null): void;
}

export const ListContext = createContext<ListParts | null>(null);

export function useListParts(): ListParts {
  const parts = useContext(ListContext);
  if (!parts) throw new Error("useListParts needs a ListContext");
  return parts;
}
