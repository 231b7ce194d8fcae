import type { ChatKind, ChatReason, ChatState } from "#core/alert/chat.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

export interface Chat {
  id: string;
  kind: ChatKind | null;
  title: string | null;
  state: ChatState;
  reason: ChatReason | null;
  /** The chat has said that the account is its own; its name is not known before. */
  isConfirmed: boolean;
}

export async function fetchChats(userId: string): Promise<Chat[]> {
  const supabase = await loadSupabase();
  const rows = dataOf(
    await supabase
      .from("chats")
      .select("chat_id, kind, title, state, reason, confirmed_at")
      .eq("user_id", userId)
      .order("created_at")
      .order("chat_id"),
  );
  return rows.map(({ chat_id, kind, title, state, reason, confirmed_at }) => ({
    id: String(chat_id),
    // The columns' checks name these very words.
    kind: kind as ChatKind | null,
    title,
    state: state as ChatState,
    reason: reason as ChatReason | null,
    isConfirmed: confirmed_at !== null,
  }));
}

/** Undefined as long as nothing is known. */
export function connectedOf(chats: readonly Chat[] | undefined): Chat[] | undefined {
  return chats?.filter(({ state }) => state === "connected");
}

export interface TelegramLink {
  token: string;
  /** By this device's own clock, which may be minutes away from the server's. */
  expiresAt: Date;
}

/** As long as the database lets a link live. */
const LINK_LIFE_MS = 15 * 60_000;

/** For the search named; else the first gets the chat. */
export async function createTelegramLink(searchId: string | undefined): Promise<TelegramLink> {
  const expiresAt = new Date(Date.now() + LINK_LIFE_MS);
  const supabase = await loadSupabase();
  const { token } = dataOf(
    await supabase.rpc("create_telegram_link", searchId === undefined ? {} : { search_id: searchId }),
  ) as { token: string };
  return { token, expiresAt };
}

export async function sendTestMessage(chatId: string): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("send_test_message", { chat_id: Number(chatId) }));
}
