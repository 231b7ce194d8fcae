import { queryOptions } from "@tanstack/react-query";
import type { ChatKind, ChatReason, ChatState, Receives } from "#core/alert/chat.ts";
import { every } from "#web/lib/backend/polling.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

export interface Chat {
  id: string;
  kind: ChatKind | null;
  title: string | null;
  state: ChatState;
  reason: ChatReason | null;
  /** The chat has confirmed that it belongs to this account; before that its title is not known. */
  isConfirmed: boolean;
  receives: Receives;
}

export async function fetchChats(userId: string): Promise<Chat[]> {
  const supabase = await loadSupabase();
  const rows = dataOf(
    await supabase
      .from("chats")
      .select("chat_id, kind, title, state, reason, confirmed_at, receives")
      .eq("user_id", userId)
      .order("created_at")
      .order("chat_id"),
  );
  return rows.map(({ chat_id, kind, title, state, reason, confirmed_at, receives }) => ({
    id: String(chat_id),
    kind,
    title,
    state,
    reason,
    isConfirmed: confirmed_at !== null,
    receives,
  }));
}

/** Returns undefined while the chats are loading. */
export function connectedOf(chats: readonly Chat[] | undefined): Chat[] | undefined {
  return chats?.filter(({ state }) => state === "connected");
}

export interface TelegramLink {
  token: string;
  /** By the clock of this device, which may differ from the server's by minutes. */
  expiresAt: Date;
}

/** The database ends a link after this time. */
const LINK_LIFE_MS = 15 * 60_000;

/** Two minutes before the link expires, so that nobody follows a link that expires on the way. */
const RENEW_MS = LINK_LIFE_MS - 2 * 60_000;

export function telegramLinkQuery(userId: string, searchId: string | undefined) {
  return queryOptions({
    queryKey: queryKeys.telegramLinkOf(userId, searchId),
    queryFn: () => createTelegramLink(searchId),
    staleTime: RENEW_MS,
    gcTime: RENEW_MS,
    refetchInterval: every(RENEW_MS),
    retry: false,
  });
}

/** The chat is added to the given search, or to the first one. */
async function createTelegramLink(searchId: string | undefined): Promise<TelegramLink> {
  const expiresAt = new Date(Date.now() + LINK_LIFE_MS);
  const supabase = await loadSupabase();
  const { token } = dataOf(
    await supabase.rpc("create_telegram_link", searchId === undefined ? {} : { search_id: searchId }),
  );
  return { token, expiresAt };
}

export async function sendTestMessage(chatId: string): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("send_test_message", { chat_id: Number(chatId) }));
}
