import type { QueryClient } from "@tanstack/react-query";
import type { Receives } from "#core/alert/chat.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { QueuedChange, QueuedKind } from "#web/lib/offline/queue.ts";
import { sendOrQueue } from "#web/lib/offline/send-or-queue.ts";
import { type Chat, changeReceives, fetchChats } from "./chat-calls.ts";

interface ReceivesChange extends QueuedChange {
  readonly chatId: string;
  readonly receives: Receives;
}

export const QUEUED_RECEIVES: QueuedKind<ReceivesChange> = {
  kind: "receives",
  send: ({ userId, chatId, receives }) => changeReceives(userId, chatId, receives),
  fetchSaved: async ({ userId, chatId }) => {
    const saved = (await fetchChats(userId)).find(({ id }) => id === chatId);
    return saved && { receives: saved.receives };
  },
  onSettled: (queries, { userId }) => void queries.invalidateQueries({ queryKey: queryKeys.chats(userId) }),
};

interface ReceivesChoice {
  userId: string;
  chat: Chat;
  /** Names the chat in a conflict. */
  title: string;
}

export async function chooseReceives(
  queries: QueryClient,
  { userId, chat, title }: ReceivesChoice,
  receives: Receives,
): Promise<void> {
  const fields = { ofId: chat.id, title, before: { receives: chat.receives }, mine: { receives } };
  await sendOrQueue(queries, QUEUED_RECEIVES, { userId, chatId: chat.id, receives, fields });
  queries.setQueryData<Chat[]>(queryKeys.chats(userId), (known) =>
    known?.map((one) => (one.id === chat.id ? { ...one, receives } : one)),
  );
}
