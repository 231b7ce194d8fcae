import type { TelegramClock } from "./clock.ts";
import type { CommandMenus } from "./command-menus.ts";
import type { Faults } from "./faults.ts";
import type { FloodControl } from "./flood-control.ts";
import type { Ledger } from "./ledger.ts";
import type { Chat, Message, Person, Press } from "./model.ts";
import type { Pictures } from "./pictures.ts";
import type { UpdateQueue } from "./update-queue.ts";
import type { Webhook } from "./webhook.ts";

export interface BotAccount {
  readonly id: number;
  readonly username: string;
  readonly firstName: string;
  readonly token: string;
}

export interface WorldEvent {
  readonly type: "chat" | "answer" | "people";
  readonly chatId?: number;
  readonly pressId?: string;
}

/** Everything the simulated Telegram knows; the API, the people and the control API all work on this one. */
export interface World {
  readonly clock: TelegramClock;
  readonly bot: BotAccount;
  /** A revoked token is 401 until it is given back. */
  isTokenRevoked: boolean;
  readonly people: Map<number, Person>;
  readonly chats: Map<number, Chat>;
  readonly presses: Map<string, Press>;
  readonly pictures: Pictures;
  readonly menus: CommandMenus;
  /** Description and short description by language, "" for everyone else. */
  readonly descriptions: Map<string, string>;
  readonly updates: UpdateQueue;
  readonly webhook: Webhook;
  readonly polling: Polling;
  readonly faults: Faults;
  readonly flood: FloodControl;
  readonly ledger: Ledger;
  readonly listeners: Set<(event: WorldEvent) => void>;
  readonly isControlOn: boolean;
  /** As Telegram's own server in local mode: webhooks over plain HTTP and on any port. */
  readonly isWebhookLocal: boolean;
  lastMessageId: number;
}

/** The one request waiting for updates, and what is remembered of those before it. */
export interface Polling {
  abort: ((description: string) => void) | undefined;
  lastConflictAt: number;
  lastOffset: number | undefined;
  lastFinishedAt: number;
}

export function tell(world: World, event: WorldEvent): void {
  for (const listener of world.listeners) listener(event);
}

export function unixTime(world: World): number {
  return Math.floor(world.clock.now() / 1000);
}

export function botUser(world: World): Record<string, unknown> {
  const { id, firstName, username } = world.bot;
  return { id, is_bot: true, first_name: firstName, username };
}

export function chatObject(world: World, chat: Chat): Record<string, unknown> {
  const person = chat.kind === "private" ? world.people.get(chat.id) : undefined;
  return {
    id: chat.id,
    ...(person === undefined
      ? { title: chat.title, ...(chat.username === undefined ? {} : { username: chat.username }) }
      : {
          first_name: person.firstName,
          ...(person.lastName === undefined ? {} : { last_name: person.lastName }),
          ...(person.username === undefined ? {} : { username: person.username }),
        }),
    type: chat.kind,
    ...(chat.kind === "group" ? { all_members_are_administrators: false } : {}),
  };
}

/** Private chats and small groups share one row of numbers; supergroups and channels have their own. */
function nextMessageId(world: World, chat: Chat): number {
  if (chat.kind === "private" || chat.kind === "group") {
    world.lastMessageId += 1;
    return world.lastMessageId;
  }
  return (chat.messages.at(-1)?.message.message_id ?? 0) + 1;
}

export function addMessage(
  world: World,
  chat: Chat,
  content: Readonly<Record<string, unknown>>,
): Message & { message_id: number } {
  const message: Message = {
    message_id: nextMessageId(world, chat),
    ...(chat.kind === "channel" ? { sender_chat: chatObject(world, chat) } : {}),
    chat: chatObject(world, chat),
    date: unixTime(world),
    ...content,
  };
  chat.messages.push({ message, deletedAt: undefined, edits: [] });
  tell(world, { type: "chat", chatId: chat.id });
  return message;
}

export function findMessage(chat: Chat, messageId: number | undefined) {
  return chat.messages.findLast(
    ({ message, deletedAt }) => message.message_id === messageId && deletedAt === undefined,
  );
}
