import type { Chat, ChatKind, MemberStatus, Person } from "../model.ts";
import { notify, type World } from "../world.ts";

/** A person tried something that no phone allows. */
export class PhoneError extends Error {}

export interface PersonOrder {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly languageCode?: string | undefined;
  /** Has pressed Start before, without an update for it. */
  readonly isStarted?: boolean | undefined;
}

export interface ChatOrder {
  readonly id?: number;
  readonly kind: Exclude<ChatKind, "private">;
  readonly title?: string | undefined;
  /** The owner. */
  readonly creatorId: number;
  readonly members?: Readonly<Record<string, MemberStatus>>;
  /** Makes it a forum with these topics. */
  readonly topics?: readonly number[] | undefined;
}

const FIRST_PERSON_ID = 5_200_000_001;
const FIRST_GROUP_ID = -4_100_000_001;
const FIRST_CHANNEL_ID = -1_002_200_000_001;

export function createPerson(world: World, order: PersonOrder): Person {
  const id = freeId(world, FIRST_PERSON_ID, 1);
  const person: Person = {
    id,
    firstName: order.firstName?.trim() || "Someone",
    lastName: order.lastName || undefined,
    languageCode: order.languageCode || undefined,
  };
  world.people.set(id, person);
  world.chats.set(id, emptyChat(id, "private", order.isStarted ? "ok" : "stranger"));
  notify(world, { type: "people" });
  return person;
}

/** Creates a group, supergroup or channel, without the bot. */
export function createChat(world: World, order: ChatOrder): Chat {
  const firstId = order.kind === "group" ? FIRST_GROUP_ID : FIRST_CHANNEL_ID;
  const id = order.id ?? freeId(world, firstId, -1);
  const chat = emptyChat(id, order.kind, "left");
  for (const topicId of order.topics ?? []) addTopic(chat, topicId);
  chat.title = order.title?.trim() || "A chat";
  chat.members.set(requirePerson(world, order.creatorId).id, "creator");
  for (const [memberId, status] of Object.entries(order.members ?? {})) {
    chat.members.set(requirePerson(world, Number(memberId)).id, status);
  }
  world.chats.set(chat.id, chat);
  notify(world, { type: "people" });
  return chat;
}

export function emptyChat(id: number, kind: ChatKind, standing: Chat["standing"]): Chat {
  return {
    id,
    kind,
    title: undefined,
    standing,
    members: new Map(),
    rights: {},
    migratedTo: undefined,
    messages: [],
    topics: new Map(),
  };
}

/** Only a supergroup can be a forum. The first topic, "General", has no thread id. */
function addTopic(chat: Chat, topicId: number): void {
  if (chat.kind !== "supergroup") throw new PhoneError("only a supergroup has topics");
  if (topicId <= 1 || chat.topics.has(topicId)) throw new PhoneError(`${topicId} cannot be a new topic`);
  chat.topics.set(topicId, "open");
}

export function requirePerson(world: World, id: number): Person {
  const person = world.people.get(id);
  if (person === undefined) throw new PhoneError(`there is no person ${id}`);
  return person;
}

export function requireChatById(world: World, id: number): Chat {
  const chat = world.chats.get(id);
  if (chat === undefined) throw new PhoneError(`there is no chat ${id}`);
  return chat;
}

function freeId(world: World, first: number, step: 1 | -1): number {
  let id = first;
  while (world.chats.has(id)) id += step;
  return id;
}
