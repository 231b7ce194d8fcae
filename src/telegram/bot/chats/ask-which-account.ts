import { button, type Conversation } from "../conversation/conversation.ts";
import { cut } from "../conversation/search-words.ts";
import { type ChatRequest, keepRequest } from "../rows/account-questions.ts";
import type { ChatPerson } from "../rows/chat-people.ts";

const LONGEST_ACCOUNT = 40;

/** Asks which of several accounts the request is for, and stores the request until the chat answers. */
export async function askWhichAccount(
  { parts, chat, t, plain, reply }: Conversation,
  people: readonly ChatPerson[],
  request: ChatRequest,
): Promise<void> {
  const requestId = await keepRequest(parts.sql, { chatId: chat.id, request }, parts.now());
  const rows = people.map(({ userId, account }) => [
    button(plain("watch_it_for", { account: cut(account, LONGEST_ACCOUNT) }), {
      act: "whose",
      requestId,
      accountId: userId,
    }),
  ]);
  const all = button(plain("whose_all"), { act: "whose", requestId, accountId: null });
  await reply(t("whose_question"), [...rows, [all]]);
}
