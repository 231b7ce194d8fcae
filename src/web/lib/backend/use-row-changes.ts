import { useEffect } from "react";
import { logProblem } from "../browser/log.ts";
import { loadSupabase } from "./supabase.ts";

/** Calls back when the person's own rows change, and once when the listening begins: what came before was missed. */
export function useRowChanges(
  userId: string | undefined,
  tables: Readonly<Record<string, "*" | "INSERT">>,
  onChange: (table: string | undefined) => void,
): void {
  useEffect(() => {
    if (userId === undefined) return;
    let isGone = false;
    const following = followRows(userId, tables, (table) => isGone || onChange(table));
    following.catch((error: unknown) => logProblem("Changes cannot be followed", error));
    return () => {
      isGone = true;
      following.then(
        (unfollow) => unfollow(),
        () => undefined,
      );
    };
  }, [userId, tables, onChange]);
}

async function followRows(
  userId: string,
  tables: Readonly<Record<string, "*" | "INSERT">>,
  onChange: (table: string | undefined) => void,
): Promise<() => void> {
  const supabase = await loadSupabase();
  const channel = supabase.channel(`rows-of-${userId}-${crypto.randomUUID()}`);
  for (const [table, event] of Object.entries(tables)) {
    const rows = { schema: "public", table, filter: `user_id=eq.${userId}` };
    channel.on("postgres_changes", { event: event as "*", ...rows }, () => onChange(table));
  }
  channel.subscribe((status) => {
    if (status === "SUBSCRIBED") onChange(undefined);
  });
  return () => void supabase.removeChannel(channel);
}
