import { menuButtonIn, menuFor } from "../methods/bot-profile.ts";
import type { Chat, Message } from "../model.ts";
import { pictureUrlOf } from "../pictures.ts";
import type { World } from "../world.ts";
import { requirePerson } from "./create.ts";

/** The chats in a person's list, latest first. */
export function listChats(world: World, personId: number) {
  return [...world.chats.values()]
    .filter((chat) => isIn(chat, personId))
    .map(summaryOf)
    .toSorted((one, other) => other.lastAt - one.lastAt);
}

/** A chat as shown on a person's phone. */
export function viewChat(world: World, chat: Chat, { as = chat.id }: { as?: number } = {}) {
  return {
    chat: summaryOf(chat),
    memberCount: chat.members.size,
    menuButton: chat.kind === "private" ? menuButtonIn(world, String(chat.id)) : null,
    commands: menuFor(world, requirePerson(world, as), chat),
    messages: chat.messages.slice(-200).map(({ message }) => shownMessage(message)),
  };
}

/** Replaces a picture by its URL, because pictures are not fetched. */
function shownMessage(message: Message) {
  return { ...message, pictureUrl: pictureUrlOf(message.photo) };
}

function summaryOf({ id, kind, title, standing, migratedTo, messages }: Chat) {
  const last = messages.at(-1)?.message;
  return {
    id,
    kind,
    title: title ?? "",
    standing,
    migratedTo: migratedTo ?? null,
    lastAt: (last?.date ?? 0) * 1000,
    lastText: last?.text ?? last?.caption ?? "",
  };
}

function isIn(chat: Chat, personId: number): boolean {
  return chat.kind === "private"
    ? chat.id === personId
    : ["creator", "administrator", "member"].includes(chat.members.get(personId) ?? "left");
}
