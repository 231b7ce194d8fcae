import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { loadSupabase } from "../backend/supabase.ts";
import { logProblem } from "../browser/log.ts";

/**
 * After a failed request, checks whether the session is still valid; with a renewed session everything is loaded again.
 */
export function useRecheckSession(hasFailed: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!hasFailed) return;
    recheckSession()
      .then(async (isRenewed) => {
        if (!isRenewed) return;
        // Requests with the old token would be refused.
        await queries.cancelQueries();
        await queries.invalidateQueries();
      })
      .catch((error: unknown) => logProblem("The session could not be checked", error));
  }, [hasFailed, queries]);
}

let hasRenewed = false;

/** A request shows whether the session was ended elsewhere; supabase-js then drops it and notifies its listeners. */
async function recheckSession(): Promise<boolean> {
  const { auth } = await loadSupabase();
  const { error } = await auth.getUser();
  // supabase-js keeps a token that is refused before it expires, e.g. after a change of keys. It is renewed only once,
  // because a server that refuses its own new tokens would be asked forever.
  if (error?.code !== "bad_jwt" || hasRenewed) return false;
  hasRenewed = true;
  const { error: refusal } = await auth.refreshSession();
  if (refusal?.status === 400) await auth.signOut({ scope: "local" });
  return refusal === null;
}
