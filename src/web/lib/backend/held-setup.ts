import { useQuery } from "@tanstack/react-query";
import { dataOf, loadSupabase } from "./supabase.ts";

/** What was set up before the address was proved, and waits for the person's yes: as `my_held_setup()` gives it. */
export interface HeldSetup {
  chats: readonly { chat_id: string; title: string | null }[];
  searches: readonly { id: string; name: string | null; filter_url: string }[];
  places: readonly string[];
  has_mail_address: boolean;
}

/** Null where nothing is held, which is nearly always. */
export function useHeldSetup(userId: string) {
  return useQuery({ queryKey: ["held-setup", userId], queryFn: fetchHeldSetup, retry: false });
}

async function fetchHeldSetup(): Promise<HeldSetup | null> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_held_setup")) as unknown as HeldSetup | null;
}

export async function answerForSetup(isMine: boolean): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc(isMine ? "confirm_my_setup" : "discard_my_setup"));
}
