import type { Chat, Person, StoredMessage } from "../model.ts";
import type { World } from "../world.ts";
import { requirePerson } from "./create.ts";

/** The chats of a person as their phone lists them, latest first; all chats if nobody is named. */
export function listChats(world: World, personId?: number) {
  return [...world.chats.values()]
    .filter((chat) => personId === undefined || isIn(chat, personId))
    .map((chat) => summaryOf(world, chat))
    .toSorted((one, other) => other.lastAt - one.lastAt);
}

export function listPeople(world: World) {
  return [...world.people.values()].map((person) => ({
    ...person,
    standing: world.chats.get(person.id)?.standing ?? "stranger",
  }));
}

/** One chat as a phone shows it: what was deleted is gone from `messages`, and listed apart for the curious. */
export function viewChat(world: World, chat: Chat, options: { as?: number; limit?: number } = {}) {
  const viewer = options.as === undefined ? world.people.get(chat.id) : requirePerson(world, options.as);
  const shown = chat.messages.filter(({ deletedAt }) => deletedAt === undefined);
  return {
    chat: summaryOf(world, chat),
    members: [...chat.members].map(([id, status]) => ({ ...requirePerson(world, id), status })),
    viewer: viewer ?? null,
    commands: viewer === undefined ? [] : world.menus.shownTo(viewer, chat),
    action: chat.action !== undefined && chat.action.until > world.clock.now() ? chat.action.name : null,
    messages: shown.slice(-(options.limit ?? 200)).map((stored) => shownMessage(world, stored)),
    deleted: chat.messages.flatMap(({ message, deletedAt }) =>
      deletedAt === undefined ? [] : [{ ...message, deletedAt }],
    ),
  };
}

/** A picture by URL is named by it, for nothing was fetched; an uploaded one can be read as a file. */
function shownMessage(world: World, { message, edits }: StoredMessage) {
  const fileId = message.photo?.at(-1)?.file_id;
  const url = fileId === undefined ? undefined : world.pictures.find(fileId)?.url;
  return { ...message, edits, ...(url === undefined ? {} : { pictureUrl: url }) };
}

function summaryOf(world: World, chat: Chat) {
  const last = chat.messages.findLast(({ deletedAt }) => deletedAt === undefined)?.message;
  return {
    id: chat.id,
    kind: chat.kind,
    title: chat.title ?? nameOf(world.people.get(chat.id)),
    username: chat.username ?? world.people.get(chat.id)?.username ?? null,
    standing: chat.standing,
    migratedTo: chat.migratedTo ?? null,
    lastAt: (last?.date ?? 0) * 1000,
    lastText: last?.text ?? last?.caption ?? "",
  };
}

function nameOf(person: Person | undefined): string {
  return [person?.firstName, person?.lastName].filter((part) => part !== undefined).join(" ");
}

function isIn(chat: Chat, personId: number): boolean {
  return chat.kind === "private"
    ? chat.id === personId
    : ["creator", "administrator", "member"].includes(chat.members.get(personId) ?? "left");
}
