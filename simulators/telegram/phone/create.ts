import type { Chat, ChatKind, MemberStatus, Person } from "../model.ts";
import { tell, type World } from "../world.ts";
import { ControlRefusal, unknown } from "./control-refusal.ts";

export interface PersonOrder {
  readonly id?: number;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly username?: string;
  readonly languageCode?: string;
  /** Has pressed Start before anything is watched, so no update tells of it. */
  readonly isStarted?: boolean;
}

export interface ChatOrder {
  readonly id?: number;
  readonly kind: Exclude<ChatKind, "private">;
  readonly title?: string;
  readonly username?: string;
  /** Who made it; its owner. */
  readonly creatorId: number;
  readonly members?: Readonly<Record<string, MemberStatus>>;
}

const FIRST_PERSON_ID = 5_200_000_001;
const FIRST_GROUP_ID = -4_100_000_001;
const FIRST_CHANNEL_ID = -1_002_200_000_001;

export function createPerson(world: World, order: PersonOrder): Person {
  const id = order.id ?? freeId(world, FIRST_PERSON_ID, 1);
  requireFree(world, id, id > 0 && id <= 1_099_511_627_775);
  const person: Person = {
    id,
    firstName: order.firstName?.trim() || "Someone",
    lastName: order.lastName || undefined,
    username: order.username || undefined,
    languageCode: order.languageCode || undefined,
  };
  world.people.set(id, person);
  world.chats.set(id, emptyChat(id, "private", order.isStarted ? "ok" : "stranger"));
  tell(world, { type: "people" });
  return person;
}

/** A group, a supergroup or a channel; the bot is not in it yet. */
export function createChat(world: World, order: ChatOrder): Chat {
  const isGroup = order.kind === "group";
  const id = order.id ?? freeId(world, isGroup ? FIRST_GROUP_ID : FIRST_CHANNEL_ID, -1);
  requireFree(world, id, isGroup ? id < 0 && id > -1_000_000_000_000 : id < -1_000_000_000_000);
  requirePerson(world, order.creatorId);
  const chat = emptyChat(id, order.kind, "left");
  chat.title = order.title?.trim() || "A chat";
  chat.username = order.username || undefined;
  chat.members.set(order.creatorId, "creator");
  for (const [memberId, status] of Object.entries(order.members ?? {})) {
    chat.members.set(requirePerson(world, Number(memberId)).id, status);
  }
  world.chats.set(id, chat);
  tell(world, { type: "people" });
  return chat;
}

export function emptyChat(id: number, kind: ChatKind, standing: Chat["standing"]): Chat {
  return {
    id,
    kind,
    title: undefined,
    username: undefined,
    standing,
    members: new Map(),
    rights: {},
    migratedTo: undefined,
    messages: [],
    action: undefined,
  };
}

export function freeChannelId(world: World): number {
  return freeId(world, FIRST_CHANNEL_ID, -1);
}

export function requirePerson(world: World, id: number): Person {
  const person = world.people.get(id);
  if (person === undefined) throw unknown("person", id);
  return person;
}

export function requireChatById(world: World, id: number): Chat {
  const chat = world.chats.get(id);
  if (chat === undefined) throw unknown("chat", id);
  return chat;
}

function freeId(world: World, first: number, step: 1 | -1): number {
  let id = first;
  while (world.chats.has(id)) id += step;
  return id;
}

function requireFree(world: World, id: number, isInRange: boolean): void {
  if (!(Number.isSafeInteger(id) && isInRange)) {
    throw new ControlRefusal(400, "bad-id", `${id} is no id of that kind of chat`);
  }
  if (world.chats.has(id)) throw new ControlRefusal(409, "id-taken", `${id} exists already`);
}
