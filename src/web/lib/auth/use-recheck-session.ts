import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { loadSupabase } from "../backend/supabase.ts";
import { logProblem } from "../browser/log.ts";

/** Asks, when something could not be loaded, whether the session still holds; under a renewed one all is loaded again. */
export function useRecheckSession(hasFailed: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!hasFailed) return;
    recheckSession()
      .then(async (isRenewed) => {
        if (!isRenewed) return;
        // What is still being asked under the former one would only be refused.
        await queries.cancelQueries();
        await queries.invalidateQueries();
      })
      .catch((error: unknown) => logProblem("The session could not be checked", error));
  }, [hasFailed, queries]);
}

let hasRenewed = false;

/** A session that was ended elsewhere is found out by asking; supabase-js then lets go of it, and tells its listeners. */
async function recheckSession(): Promise<boolean> {
  const { auth } = await loadSupabase();
  const { error } = await auth.getUser();
  // A token that is refused before its time, as after the keys were changed, supabase-js keeps. It is renewed once: a
  // server that refuses what it has just given would be asked for ever.
  if (error?.code !== "bad_jwt" || hasRenewed) return false;
  hasRenewed = true;
  const { error: refusal } = await auth.refreshSession();
  if (refusal?.status === 400) await auth.signOut({ scope: "local" });
  return refusal === null;
}
