import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import { loadSupabase } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import type { Profile } from "./account-calls.ts";

/** An address may be confirmed in another tab or browser: then the session or the profile here is out of date. */
export function useFollowEmail({ data, refetch }: UseQueryResult<Profile>): void {
  const { user } = useSession();
  const ofSession = user?.email ?? "";
  const ofProfile = data && (data.email ?? "");
  useEffect(() => {
    if (ofProfile === undefined || ofProfile === ofSession) return;
    if (ofProfile === "") void refetch();
    else if (ofSession === "") {
      loadSupabase()
        .then(({ auth }) => auth.refreshSession())
        .catch((error: unknown) => logProblem("The session could not be refreshed", error));
    }
  }, [ofProfile, ofSession, refetch]);
}
