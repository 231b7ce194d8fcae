import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { loadSupabase } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";

/** Loads again whatever a change of the person's rows makes out of date. A missed one is caught up with on focus. */
export function useLiveRows(userId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    followRows(userId, queries).then(
      (unfollow) => {
        if (isGone) unfollow();
        else stop = unfollow;
      },
      (error: unknown) => logProblem("Changes cannot be followed", error),
    );
    return () => {
      isGone = true;
      stop();
    };
  }, [userId, queries]);
}

async function followRows(userId: string, queries: QueryClient): Promise<() => void> {
  const supabase = await loadSupabase();
  const reload = (...names: string[]) => {
    for (const name of names) void queries.invalidateQueries({ queryKey: [name, userId] });
  };
  // A changed list of ids changes the chats, and a chat that connects itself changes the list.
  const reloadAll = () => reload("chats", "filter", "watch");
  const rowsOf = (table: string) => ({ schema: "public", table, filter: `user_id=eq.${userId}` });
  const channel = supabase
    .channel(`filter-settings-of-${userId}-${crypto.randomUUID()}`)
    .on("postgres_changes", { event: "*", ...rowsOf("chats") }, reloadAll)
    .on("postgres_changes", { event: "*", ...rowsOf("filter_settings") }, reloadAll)
    .on("postgres_changes", { event: "INSERT", ...rowsOf("listings") }, () => reload("watch"))
    .subscribe((status) => {
      // What changed before the channel stood, or while it was down, was told to nobody.
      if (status === "SUBSCRIBED") reloadAll();
    });
  return () => void supabase.removeChannel(channel);
}
