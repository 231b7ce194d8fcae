import type { TelegramClock } from "./clock.ts";
import type { Faults } from "./faults.ts";
import type { FloodControl } from "./flood-control.ts";
import type { Ledger } from "./ledger.ts";
import type { Chat, MenuCommand, Message, Person, Press, StoredMessage } from "./model.ts";
import type { Pictures } from "./pictures.ts";
import type { UpdateQueue } from "./update-queue.ts";
import type { Webhook } from "./webhook.ts";

export interface WorldEvent {
  readonly type: "chat" | "answer" | "people";
  readonly chatId?: number;
  readonly pressId?: string;
}

/** Everything the simulated Telegram knows; the Bot API, the people and the control API all work on this one. */
export interface World {
  readonly clock: TelegramClock;
  readonly bot: {
    readonly id: number;
    readonly username: string;
    readonly firstName: string;
    readonly token: string;
  };
  /** A revoked token is 401 until it is given back. */
  isTokenRevoked: boolean;
  readonly people: Map<number, Person>;
  readonly chats: Map<number, Chat>;
  readonly presses: Map<string, Press>;
  readonly pictures: Pictures;
  /** Menus of commands by scope and language, "" for everyone else's. */
  readonly menus: Map<string, readonly MenuCommand[]>;
  /** The bot's descriptions, by which one and language. */
  readonly descriptions: Map<string, string>;
  readonly updates: UpdateQueue;
  readonly webhook: Webhook;
  /** As Telegram's own server in local mode: webhooks over plain HTTP and on any port. */
  readonly isWebhookLocal: boolean;
  readonly polling: Polling;
  readonly faults: Faults;
  readonly flood: FloodControl;
  readonly ledger: Ledger;
  readonly listeners: Set<(event: WorldEvent) => void>;
  lastMessageId: number;
}

/** The one request waiting for updates, and what is remembered of those before it. */
interface Polling {
  abort: ((description: string) => void) | undefined;
  lastConflictAt: number;
  lastOffset: number | undefined;
  lastFinishedAt: number;
}

export function notify(world: World, event: WorldEvent): void {
  for (const listener of world.listeners) listener(event);
}

export function unixTime(world: World): number {
  return Math.floor(world.clock.now() / 1000);
}

export function botUser({ bot }: World): Record<string, unknown> {
  return { id: bot.id, is_bot: true, first_name: bot.firstName, username: bot.username };
}

export function chatObject(world: World, { id, kind, title }: Chat): Record<string, unknown> {
  const person = kind === "private" ? world.people.get(id) : undefined;
  if (person === undefined) return { id, title, type: kind };
  const { firstName, lastName } = person;
  return {
    id,
    first_name: firstName,
    ...(lastName === undefined ? {} : { last_name: lastName }),
    type: kind,
  };
}

export function addMessage(world: World, chat: Chat, content: Readonly<Record<string, unknown>>): Message {
  const message: Message = {
    message_id: nextMessageId(world, chat),
    ...(chat.kind === "channel" ? { sender_chat: chatObject(world, chat) } : {}),
    chat: chatObject(world, chat),
    date: unixTime(world),
    ...content,
  };
  chat.messages.push({ message });
  notify(world, { type: "chat", chatId: chat.id });
  return message;
}

/** Private chats and small groups share one row of numbers; supergroups and channels have their own. */
function nextMessageId(world: World, chat: Chat): number {
  if (chat.kind !== "private" && chat.kind !== "group") {
    return (chat.messages.at(-1)?.message.message_id ?? 0) + 1;
  }
  world.lastMessageId += 1;
  return world.lastMessageId;
}

export function findMessage(chat: Chat, messageId: number | undefined): StoredMessage | undefined {
  return chat.messages.findLast(({ message }) => message.message_id === messageId);
}
