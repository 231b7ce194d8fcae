import type { QueryClient } from "@tanstack/react-query";
import type { FoundHome, HomeMark } from "#core/finds/find.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { QueueConflict, type QueuedChange, type QueuedKind } from "#web/lib/offline/queue.ts";
import { fetchFind, markFind, noteFind } from "./find-calls.ts";

interface FindChange extends QueuedChange {
  readonly homeId: string;
  readonly listingId: string;
  /** Names the home in a conflict. */
  readonly title: string;
}

export interface MarkChange extends FindChange {
  readonly mark: HomeMark | null;
  readonly before: HomeMark | null;
}

export interface NoteChange extends FindChange {
  readonly note: string | null;
  readonly before: string | null;
}

export const QUEUED_MARK: QueuedKind<MarkChange> = {
  kind: "mark",
  send: async (change) => {
    const saved = change.isLate ? await savedFind(change) : undefined;
    if (saved?.mark === change.mark) return;
    if (saved && saved.mark !== change.before) throw new QueueConflict("The home was marked elsewhere");
    await markFind(change.listingId, change.mark);
  },
  onSettled: (queries, change, error) => {
    noteConflict(queries, { ...change, field: "mark" }, error);
    // The list shows a mark at once by itself, the map does not.
    void queries.invalidateQueries({ queryKey: queryKeys.findPoints(change.userId) });
  },
};

export const QUEUED_NOTE: QueuedKind<NoteChange> = {
  kind: "note",
  send: async (change) => {
    const saved = change.isLate ? await savedFind(change) : undefined;
    if (saved?.note === change.note) return;
    if (saved && saved.note !== change.before) throw new QueueConflict("The note was changed elsewhere");
    await noteFind(change.listingId, change.note);
  },
  onSettled: (queries, change, error) => noteConflict(queries, { ...change, field: "note" }, error),
};

export const QUEUED_FIND_CHANGES = [QUEUED_MARK, QUEUED_NOTE] as const;

/** A find that no longer belongs to the person is a conflict too: a note must not get lost silently. */
async function savedFind({ listingId }: FindChange): Promise<FoundHome> {
  const find = await fetchFind(listingId);
  if (!find) throw new QueueConflict("The home is no longer among the finds");
  return find;
}

export type FindConflict = ({ field: "mark" } & MarkChange) | ({ field: "note" } & NoteChange);

/** Kept with the finds in the cache, until the person decides. */
function noteConflict(queries: QueryClient, change: FindConflict, error: Error | null): void {
  if (error instanceof QueueConflict)
    queries.setQueryData<FindConflict[]>(queryKeys.findConflicts(change.userId), (known = []) => [
      ...known.filter((one) => one.field !== change.field || one.homeId !== change.homeId),
      change,
    ]);
  if (error) void queries.invalidateQueries({ queryKey: queryKeys.finds(change.userId) });
}
