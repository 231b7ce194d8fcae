import { useEffect } from "react";
import { logProblem } from "../browser/log.ts";
import { loadSupabase } from "./supabase.ts";
import type { TypedDatabase } from "./typed-database.ts";

/** The current row; for a deleted one only its key. */
export type ChangedRow = Readonly<Record<string, unknown>>;
type SubscribedTables = Readonly<Partial<Record<keyof TypedDatabase["public"]["Tables"], "*" | "INSERT">>>;
type OnChange = (table: string | undefined, row?: ChangedRow) => void;

/**
 * Calls back when rows of the person change, and once when the subscription starts, because earlier changes were
 * missed.
 */
export function useRowChanges(
  userId: string | undefined,
  tables: SubscribedTables,
  onChange: OnChange,
): void {
  useEffect(() => {
    if (userId === undefined) return;
    let isGone = false;
    const following = followRows(userId, tables, (table, row) => isGone || onChange(table, row));
    following.catch((error: unknown) => logProblem("Subscribing to row changes failed", error));
    return () => {
      isGone = true;
      following.then(
        (unfollow) => unfollow(),
        () => undefined,
      );
    };
  }, [userId, tables, onChange]);
}

async function followRows(userId: string, tables: SubscribedTables, onChange: OnChange): Promise<() => void> {
  const supabase = await loadSupabase();
  // A channel joined before the client has the token stays a guest's, and receives nothing.
  await supabase.realtime.setAuth();
  const channel = supabase.channel(`rows-of-${userId}-${crypto.randomUUID()}`);
  for (const [table, event] of Object.entries(tables)) {
    const rows = { schema: "public", table, filter: `user_id=eq.${userId}` };
    channel.on("postgres_changes", { event: event as "*", ...rows }, (change) =>
      onChange(table, { ...change.old, ...change.new }),
    );
  }
  channel.subscribe((status) => {
    noteSubscribed(channel, status === "SUBSCRIBED");
    if (status === "SUBSCRIBED") onChange(undefined);
  });
  return () => {
    noteSubscribed(channel, false);
    void supabase.removeChannel(channel);
  };
}

/** The subscribed channels, and who follows them (use-is-live.ts). */
export const live = { channels: new Set<unknown>(), listeners: new Set<() => void>() };

function noteSubscribed(channel: unknown, isSubscribed: boolean): void {
  live.channels[isSubscribed ? "add" : "delete"](channel);
  for (const listener of live.listeners) listener();
}
