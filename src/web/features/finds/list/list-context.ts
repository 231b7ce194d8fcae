import { createContext, useContext, useSyncExternalStore } from "react";
import type { FoundHome, OwnPlace } from "#core/finds/find.ts";
import type { OpenNote } from "./open-note.ts";
import type { Marks } from "./use-marks.ts";

export interface ListParts {
  marks: Marks;
  places: readonly OwnPlace[];
  /** Empty with a single search. */
  searchNames: ReadonlyMap<string, string>;
  homeAddress(find: FoundHome): string;
  openNote: OpenNote;
}

export const ListContext = createContext<ListParts | null>(null);

export function useListParts(): ListParts {
  const parts = useContext(ListContext);
  if (!parts) throw new Error("useListParts needs a ListContext");
  return parts;
}

export function useIsNoteOpen(homeId: string): boolean {
  const { openNote } = useListParts();
  const isOpen = () => openNote.homeId() === homeId;
  return useSyncExternalStore(openNote.subscribe, isOpen, isOpen);
}
