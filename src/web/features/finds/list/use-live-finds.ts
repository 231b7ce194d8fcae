import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { FindFilter, FoundHome } from "#core/finds/find.ts";
import { fetchFinds, findsQuery } from "#web/lib/backend/finds.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { type ChangedRow, useRowChanges } from "#web/lib/backend/use-row-changes.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { fetchFind } from "../find-calls.ts";
import {
  findOf,
  type LoadedFinds,
  matchesFilter,
  newFindsOf,
  shownFinds,
  withNew,
  withoutFind,
  withReturned,
} from "./find-pages.ts";
import { changeFind, changeList } from "./use-finds.ts";
import { changeCount, isBeingChanged, isChangedSince } from "./use-marks.ts";

const FOLLOWED = { marks: "*", listings: "*" } as const;
/** Changes within this time are loaded together. */
const TOGETHER_MS = 250;
/** With more changes than this at once the list is loaded again. */
const MOST_AT_ONCE = 12;

const NONE: readonly FoundHome[] = [];

const noteFailure = (error: unknown) => logProblem("The list of finds could not be updated", error);

/**
 * Keeps the open list up to date. A changed home is loaded again on its own. A new home waits until the person asks for
 * it, so that nothing moves while they read.
 */
export function useLiveFinds(userId: string, filter: FindFilter) {
  const queries = useQueryClient();
  const key = useMemo(() => findsQuery(userId, filter).queryKey, [userId, filter]);
  const [waiting, setWaiting] = useState<{ key: unknown; finds: readonly FoundHome[] }>({ key, finds: [] });
  const fresh = waiting.key === key ? waiting.finds : NONE;
  const newestAt = useRef<{ key: unknown; at: string }>(undefined);

  const lookForNew = useCallback(async () => {
    const { order, ...asked } = filter;
    const count = changeCount();
    const { finds } = await fetchFinds(asked, null);
    const loaded = queries.getQueryData<LoadedFinds>(key);
    if (!loaded) return;
    for (const find of finds)
      if (!isChangedSince(count, find.homeId)) changeFind(queries, userId, find, find);
    if (order === undefined && shownFinds(loaded, filter).length === 0) {
      changeList(queries, key, (shown) => withNew(shown, finds));
      return;
    }
    // In a list with another order, new means found since the list was first compared.
    if (newestAt.current?.key !== key) newestAt.current = { key, at: finds[0]?.foundAt ?? "" };
    const { at } = newestAt.current;
    setWaiting({ key, finds: order ? foundSince(at, finds, loaded) : newFindsOf(loaded, finds) });
  }, [queries, key, filter, userId]);

  const readAgain = useCallback(
    async (homeId: string) => {
      const count = changeCount();
      const find = await fetchFind(homeId);
      // Our own newer change is announced as well, and loaded then.
      if (isChangedSince(count, homeId)) return;
      if (!find) return changeList(queries, key, (loaded) => withoutFind(loaded, homeId));
      queries.setQueryData(queryKeys.find(userId, find.listingId), find);
      changeFind(queries, userId, find, find);
      const isByTime = filter.order === undefined && filter.state === undefined;
      if (isByTime && find.mark !== "hidden" && matchesFilter(find, filter))
        changeList(queries, key, (loaded) =>
          findOf(loaded, find.homeId) ? loaded : withReturned(loaded, find),
        );
    },
    [queries, key, filter, userId],
  );

  useRowChanges(userId, FOLLOWED, useChangedRows({ queries, userId }, lookForNew, readAgain));
  const showNew = useCallback(() => {
    setWaiting({ key, finds: [] });
    if (filter.order === undefined) changeList(queries, key, (loaded) => withNew(loaded, fresh));
    else void queries.resetQueries({ queryKey: key });
  }, [queries, key, filter, fresh]);
  return { freshCount: fresh.length, showNew };
}

function foundSince(at: string, finds: readonly FoundHome[], loaded: LoadedFinds): FoundHome[] {
  return finds.filter(({ foundAt, homeId }) => foundAt > at && !findOf(loaded, homeId));
}

/** Collects the changes of a short time. */
function useChangedRows(
  { queries, userId }: { queries: QueryClient; userId: string },
  lookForNew: () => Promise<void>,
  readAgain: (homeId: string) => Promise<void>,
) {
  const gathered = useRef({ ids: new Set<string>(), isNewPossible: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = useRef<() => Promise<void>>(undefined);
  useEffect(() => {
    flush.current = async () => {
      const { ids, isNewPossible } = gathered.current;
      gathered.current = { ids: new Set(), isNewPossible: false };
      if (ids.size > MOST_AT_ONCE) await queries.invalidateQueries({ queryKey: queryKeys.finds(userId) });
      else
        for (const id of ids) {
          // Our own change is announced too; it may be older than one still being sent. A failed answer leaves the others.
          if (!isBeingChanged(id)) await readAgain(id).catch(noteFailure);
        }
      if (isNewPossible) await lookForNew();
    };
  }, [queries, userId, lookForNew, readAgain]);
  const schedule = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      flush.current?.().catch(noteFailure);
    }, TOGETHER_MS);
  }, []);
  useEffect(() => {
    const onVisible = () => {
      if (document.hidden) return;
      gathered.current.isNewPossible = true;
      schedule();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearTimeout(timer.current);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [schedule]);
  return useCallback(
    (table: string | undefined, row?: ChangedRow) => {
      if (table === "marks" && typeof row?.home_id === "string") gathered.current.ids.add(row.home_id);
      else gathered.current.isNewPossible = true;
      schedule();
    },
    [schedule],
  );
}
