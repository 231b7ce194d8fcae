import { peopleConnectedTo } from "#store/chats/chat-people.ts";
import type { ButtonPress } from "../../callback-data.ts";
import type { CommandName } from "../commands/command-menu.ts";
import { heldBlock } from "../commands/status-lines.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";
import { askForConfirmation } from "./ask-for-consent.ts";

/** What a chat can do besides commands and buttons. */
type Message = "location" | "link" | "name-reply" | "place-reply" | "note-reply";

export type ChatAct = CommandName | ButtonPress["act"] | Message;

/**
 * "confirmed": the act reads or writes an account, so the chat must have confirmed one. "any": the act concerns only the
 * chat itself. In a chat without a confirmed account /pause and /resume only mute and unmute the chat.
 */
export const NEEDS = {
  start: "any",
  id: "any",
  help: "any",
  stop: "any",
  language: "any",
  pause: "any",
  resume: "any",
  searches: "confirmed",
  watch: "confirmed",
  status: "confirmed",
  latest: "confirmed",
  rename: "confirmed",
  note: "confirmed",

  yes: "any",
  no: "any",
  me: "any",
  "not-me": "any",
  speak: "any",
  mute: "any",
  unmute: "any",
  decline: "any",
  hide: "confirmed",
  keep: "confirmed",
  undo: "confirmed",
  message: "confirmed",
  photos: "confirmed",
  unwatch: "confirmed",
  whose: "confirmed",
  "list-searches": "confirmed",
  "open-search": "confirmed",
  "mute-search": "confirmed",
  "unmute-search": "confirmed",
  "pause-search": "confirmed",
  "resume-search": "confirmed",
  "rename-search": "confirmed",
  "delete-search": "confirmed",
  "delete-search-now": "confirmed",
  "topic-here": "confirmed",
  "topic-none": "confirmed",
  "place-work": "confirmed",
  "place-home": "confirmed",
  "place-other": "confirmed",
  "move-place": "confirmed",

  location: "confirmed",
  link: "confirmed",
  "name-reply": "confirmed",
  "place-reply": "confirmed",
  "note-reply": "confirmed",
} as const satisfies Record<ChatAct, "confirmed" | "any">;

/**
 * Returns false and replies with the next step if the act needs a confirmed account and the chat has only unconfirmed or
 * held ones. An act in a chat without any account sends its own reply.
 */
export async function mayDo(conversation: Conversation, act: ChatAct): Promise<boolean> {
  if (NEEDS[act] === "any") return true;
  const { parts, chat, t } = conversation;
  const people = await peopleConnectedTo(parts.sql, chat.id);
  if (people.length === 0 || people.some(({ access }) => access === "confirmed")) return true;
  const held = people.filter(({ access }) => access === "held");
  if (held.length > 0)
    await replyWithSite(
      conversation,
      held.map((person) => heldBlock(conversation, person)),
    );
  await askForConfirmation(conversation, `🏮 <b>${t("confirm_first")}</b>`);
  return false;
}
