import { useQuery } from "@tanstack/react-query";
import { queryKeys } from "./query-keys.ts";
import { dataOf, loadSupabase } from "./supabase.ts";
import type { HeldSetup } from "./typed-database.ts";

/** Null if nothing is held, which is the usual case. */
export function useHeldSetup(userId: string) {
  return useQuery({ queryKey: queryKeys.heldSetup(userId), queryFn: fetchHeldSetup, retry: false });
}

async function fetchHeldSetup(): Promise<HeldSetup | null> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_held_setup"));
}

export async function decideHeldSetup(isMine: boolean): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc(isMine ? "confirm_my_setup" : "discard_my_setup"));
}
