/**
 * When a page is ready. TanStack Query turns a failed query without data back to "pending" when it is asked again, so a page
 * that follows `isPending`, `isLoading`, `isError` or `isSuccess` disappears with what was typed into it. These two only ever
 * go forward: a page appears with the first outcome of what it needs, and stays. `scripts/structure.test.ts` forbids the others.
 */
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

type Question = Pick<UseQueryResult<unknown>, "data" | "errorUpdateCount" | "fetchStatus">;

/** Whether each of the queries that the page cannot do without has had its first outcome. Once true, it stays true. */
export function useLoaded(...needed: readonly Question[]): boolean {
  return useOnce(needed.every((query) => query.data !== undefined || isMissing(query)));
}

/** Stays true from the first time. */
export function useOnce(isNow: boolean): boolean {
  const [wasTrue, setTrue] = useState(isNow);
  if (isNow && !wasTrue) setTrue(true);
  return isNow || wasTrue;
}

/** Whether the page has nothing to show for the query: it failed, or there is no connection. True until there is an answer. */
export function isMissing({ data, errorUpdateCount, fetchStatus }: Question): boolean {
  return data === undefined && (errorUpdateCount > 0 || fetchStatus === "paused");
}
