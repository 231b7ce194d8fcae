import type { Context } from "grammy";
import { pauseFor } from "../commands/pause.ts";
import type { Conversation, Shown } from "../conversation/conversation.ts";
import { showButtons, showText } from "../conversation/edit-message.ts";
import type { Role } from "../conversation/role-in.ts";
import { setPlace } from "../finds/own-places.ts";
import { markFor } from "../finds/sort-listing.ts";
import { noteFor } from "../finds/write-note.ts";
import { type ChatRequest, findRequest, forgetRequest } from "../rows/account-questions.ts";
import { type ChatPerson, confirmedPeople, confirmedPeopleAlerted } from "../rows/chat-people.ts";

interface AccountPress {
  readonly requestId: string;
  readonly accountId: string | null;
}

/** Carries out the stored request for the chosen account, or for all accounts it can be for. */
export async function pressAccount(
  conversation: Conversation,
  ctx: Context,
  { requestId, accountId, role }: AccountPress & { readonly role: Role },
): Promise<string> {
  const { parts, chat, plain } = conversation;
  const request = await findRequest(parts.sql, { chatId: chat.id, requestId }, parts.now());
  // Group members may hide and keep listings; everything else is for administrators.
  if (request !== undefined && request.is !== "mark" && role !== "administrator") {
    return plain("administrators_only");
  }
  const people = request === undefined ? [] : await peopleFor(conversation, request);
  const meant = people.filter(({ userId }) => accountId === null || userId === accountId);
  if (request === undefined || meant.length === 0) {
    await showButtons(ctx, []);
    return plain("note_dead_button");
  }
  const { html, rows } = await carryOut(conversation, meant, request);
  await forgetRequest(parts.sql, requestId);
  await showText(ctx, html, rows);
  return "";
}

async function peopleFor(
  { parts, chat }: Conversation,
  request: ChatRequest,
): Promise<readonly ChatPerson[]> {
  return "listingId" in request
    ? confirmedPeopleAlerted(parts.sql, chat.id, request.listingId)
    : confirmedPeople(parts.sql, chat.id);
}

async function carryOut(
  conversation: Conversation,
  people: readonly ChatPerson[],
  request: ChatRequest,
): Promise<Shown> {
  const userIds = people.map(({ userId }) => userId);
  switch (request.is) {
    case "place": {
      const { is: _, ...place } = request;
      return setPlace(conversation, userIds, place);
    }
    case "note":
      return { html: await noteFor(conversation, userIds, request), rows: [] };
    case "mark":
      return { html: await markFor(conversation, userIds, request), rows: [] };
    case "pause": {
      const reply = await pauseFor(conversation, people, request.isPaused);
      return { html: reply ?? conversation.t("status_no_filter"), rows: [] };
    }
  }
}
